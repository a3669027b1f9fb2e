from feedline.data import Dataset
from feedline.site import Site, caller_site


def test_the_site_is_the_line_that_asks():
    site = caller_site()

    assert site.file == __file__
    assert str(site) == f"test_site.py:{site.line}"


def test_a_node_has_the_line_of_the_user_however_deep_inside_it_was_made():
    first = Dataset.range(3)
    second = first.batch(2)

    assert second.node.site == Site(__file__, first.node.site.line + 1)
