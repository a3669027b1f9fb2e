import pytest

import feedline as tf
from feedline.errors import BuildError
from feedline.options import AutotuneAlgorithm, Options
from feedline.parallel.honoured import honoured


def test_what_is_done_here_may_be_asked_for():
    options = Options(deterministic=False)
    options.autotune.autotune_algorithm = AutotuneAlgorithm.MAX_PARALLELISM
    options.experimental_optimization.filter_parallelization = False
    options.experimental_optimization.seq_interleave_prefetch = True

    assert honoured(options) is options


@pytest.mark.parametrize("name", ["filter_parallelization", "parallel_batch"])
def test_a_rewrite_that_is_not_there_is_refused(name):
    options = Options()
    setattr(options.experimental_optimization, name, True)

    with pytest.raises(BuildError, match=name):
        honoured(options)


@pytest.mark.parametrize("name", ["experimental_slack", "experimental_warm_start"])
def test_a_setting_that_is_not_kept_is_refused_when_the_pipeline_runs(name):
    ds = tf.data.Dataset.range(3).with_options(Options(**{name: True}))

    assert getattr(ds.options(), name) is True
    with pytest.raises(BuildError, match=name):
        list(ds)


@pytest.mark.parametrize("name", ["HILL_CLIMB", "GRADIENT_DESCENT", "STAGE_BASED"])
def test_an_algorithm_that_is_not_there_is_refused(name):
    options = Options()
    options.autotune.autotune_algorithm = AutotuneAlgorithm[name]

    with pytest.raises(BuildError, match=r"DEFAULT .* MAX_PARALLELISM"):
        honoured(options)
    options.autotune.enabled = False
    assert honoured(options) is options
