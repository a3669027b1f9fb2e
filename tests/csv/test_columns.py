"""Fields of many records as columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.csv.columns import Fields, field_failure, typed_column
from feedline.csv.format import CsvColumn
from feedline.kernels.split_csv import split_csv
from feedline.spec import string

INT, FLOAT = np.dtype(np.int32), np.dtype(np.float32)
TEXTS = st.lists(st.text(st.sampled_from('a1ä" ,'), max_size=4), min_size=1, max_size=8)
COLUMNS = st.sampled_from(
    [
        CsvColumn(INT, None),
        CsvColumn(INT, np.int32(5)),
        CsvColumn(FLOAT, np.float32(0.5)),
        CsvColumn(string, None),
        CsvColumn(string, ""),
        CsvColumn(string, "none"),
    ]
)


def fields_of(texts):
    """The fields of a text with one on each line, in quotes."""
    quoted = "".join('"' + text.replace('"', '""') + '"\n' for text in texts).encode()
    return Fields.of(quoted, split_csv(np.frombuffer(quoted, np.uint8), ord(","), True, True))


@given(TEXTS, COLUMNS, st.sampled_from([b"", b"a", b"1", b'"']), st.sampled_from([None, "utf-8"]))
def test_a_column_is_good_where_each_field_is(texts, column, na_value, encoding):
    fields = fields_of(texts)
    values, good = typed_column(fields, column, na_value, encoding)
    reasons = [field_failure(text.encode(), column, na_value, encoding) for text in texts]

    assert [fields.text(number).decode() for number in range(len(texts))] == texts
    assert good.tolist() == [reason is None for reason in reasons]
    assert len(values.rows()) == len(texts)


@given(TEXTS, st.sampled_from([b"", b"a", b'"']))
def test_fields_that_are_missing_get_the_default(texts, na_value):
    values, _ = typed_column(fields_of(texts), CsvColumn(string, "none"), na_value, "utf-8")

    missing = {"", na_value.decode()}
    assert values.rows() == ["none" if text in missing else text for text in texts]


@pytest.mark.parametrize(("default", "value"), [("x", b"x"), (b"x", b"x")])
def test_a_default_is_of_the_kind_of_the_column(default, value):
    values, _ = typed_column(fields_of(["", "a"]), CsvColumn(string, default), b"", None)

    assert values.rows() == [value, b"a"]


def test_what_is_no_text_is_not_good():
    data = b"a\n\xff\n"
    fields = Fields.of(data, split_csv(np.frombuffer(data, np.uint8), ord(","), True, True))
    _, good = typed_column(fields, CsvColumn(string, ""), b"", "utf-8")

    assert good.tolist() == [True, False]
    assert field_failure(b"\xff", CsvColumn(string, ""), b"", "utf-8") is not None
