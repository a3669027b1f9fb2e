import pytest

from feedline.io.gfile import GFile


def test_places_have_two_names(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("abcdef")
    with GFile(str(path)) as file:
        file.seek(position=2)
        assert file.read(1) == "c"
        file.seek(offset=4)
        assert file.read(1) == "e"
        with pytest.raises(TypeError, match=r"seek\(\): offset must be given"):
            file.seek()
