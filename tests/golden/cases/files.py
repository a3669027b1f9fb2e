"""files: lines, records and columns of files, which every case writes for itself."""

import atexit
import gzip
import os
import shutil
import tempfile
import zlib

import numpy as np

from tests.golden.case import each


def written(files):
    """Write files to a folder that is there until the process ends, and return it."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    return folder


def names_in(folder, files):
    return [os.path.join(folder, name) for name in files]


def numbered(lengths):
    lines = {f"{n}.txt": [f"{n}-{i}\n" for i in range(length)] for n, length in enumerate(lengths)}
    return {name: "".join(found).encode() for name, found in lines.items()}


TEXTS = {
    "plain": b"a\nb\n",
    "no end": b"a\nb",
    "empty": b"",
    "newline": b"\n",
    "crlf": b"\r\n",
    "returns": b"a\rb\r\nc\r",
    "return at the end": b"a\n\r",
    "only a return": b"\r",
    "zero": b"a\x00b\n",
    "empty lines": b"a\n\nb\n\n",
    "doubled": b"a\r\r\nb",
}


@each(text=list(TEXTS))
def case_text(tf, text):
    folder = written({"file": TEXTS[text]})
    return tf.data.TextLineDataset(os.path.join(folder, "file"))


@each(reads=[None, 1, 2, 3, 10], lengths=[(1, 3, 2, 0, 4, 1), (5,), (0, 0, 2), (3, 3, 3, 3)])
def case_text_files_in_turn(tf, reads, lengths):
    files = numbered(lengths)
    names = names_in(written(files), files)
    return tf.data.TextLineDataset(names, num_parallel_reads=reads)


@each(kind=["GZIP", "ZLIB"])
def case_text_compressed(tf, kind):
    pack = gzip.compress if kind == "GZIP" else zlib.compress
    folder = written({"file": pack(b"one\ntwo\n")})
    return tf.data.TextLineDataset(os.path.join(folder, "file"), compression_type=kind)


def case_text_of_joined_gzip_files(tf):
    folder = written({"file": gzip.compress(b"one\ntw") + gzip.compress(b"o\nthree")})
    return tf.data.TextLineDataset(os.path.join(folder, "file"), "GZIP")


def case_text_names_from_a_dataset(tf):
    files = numbered((2, 1))
    names = tf.data.Dataset.from_tensor_slices(names_in(written(files), files))
    return tf.data.TextLineDataset(names.repeat(2))


@each(sizes=[(2,), (3, 1), (2, 1, 1), (2, 5, 5), (10,)], kind=[None, "GZIP"])
def case_records(tf, sizes, kind):
    data = bytes(range(65, 75))
    folder = written({"file": gzip.compress(data) if kind else data})
    path = os.path.join(folder, "file")
    return tf.data.FixedLengthRecordDataset(path, *sizes, compression_type=kind)


@each(sizes=[(3,), (20,)])
def case_records_that_do_not_fit(tf, sizes):
    folder = written({"file": bytes(range(65, 75))})
    return tf.data.FixedLengthRecordDataset(os.path.join(folder, "file"), *sizes)


def case_records_in_turn(tf):
    files = {"a": b"aabbccdd", "b": b"eeff"}
    names = names_in(written(files), files)
    return tf.data.FixedLengthRecordDataset(names, 2, num_parallel_reads=2)


@each(shuffle=[None, True, False], seed=[0, 3, 42])
def case_list_files(tf, shuffle, seed):
    folder = written({f"{n:02d}.txt": b"" for n in range(12)})
    ds = tf.data.Dataset.list_files(os.path.join(folder, "*.txt"), shuffle, seed)
    return [[base(name) for name in ds] for _ in range(2)]


def base(name):
    text = name.numpy().decode() if hasattr(name, "numpy") else name
    return os.path.basename(text)


TABLES = {
    "numbers": (b"1,2.5,abc\n2,3.5,d\n", [[0], [0.0], [""]], {}),
    "crlf": (b"1,2,a\r\n3,4,b", [[0], [0.0], [""]], {}),
    "returns": (b"1\r2\r", [[0]], {}),
    "defaults": (b",,\n1,2,c\n", [[7], [0.5], ["none"]], {}),
    "empty lines": (b"1\n\n2\n\n", [[9]], {}),
    "quotes": (b'1,"a\nb"\n2,"c""d"\n', [[0], [""]], {}),
    "header": (b'"a\nx",b\n4,5', [[0], [0]], {"header": True}),
    "only a header": (b"a,b", [[0], [0]], {"header": True}),
    "missing": (b"NA,1\n2,NA\n", [[5], [6]], {"na_value": "NA"}),
    "selected": (b"1,2,3\n4,5,6", [[5], [6]], {"select_cols": [0, 2]}),
    "excluded": (b"1,2,3\n4,5,6", [[5], [6]], {"exclude_cols": [1]}),
    "tabs": (b"1\t2\n", [[5], [6]], {"field_delim": "\t"}),
    "no quotes": (b'"1",b"c\n', [["x"], ["y"]], {"use_quote_delim": False}),
    "trailing": (b"1,\n3,4\n", [[0], [7]], {}),
    "floats": (b"1e3,0x10,inf\n.5,1e50,-1e-50\n 1 ,\t2,+3\n", [[0.0]] * 3, {}),
}


@each(table=list(TABLES))
def case_csv(tf, table):
    text, defaults, options = TABLES[table]
    path = os.path.join(written({"file": text}), "file")
    return tf.data.experimental.CsvDataset(path, defaults, **options)


BAD_TABLES = {
    "few": b"1,2\n1\n",
    "many": b"1,2\n1,2,3\n",
    "no number": b"1,2\nx,2\n",
    "too large": b"1,2\n99999999999,2\n",
    "stray quote": b'1,2\n1"3,2\n',
    "after a quote": b'1,2\n"1"3,2\n',
    "not closed": b'1,2\n3,"4\n',
}


@each(table=list(BAD_TABLES))
def case_csv_that_fails(tf, table):
    path = os.path.join(written({"file": BAD_TABLES[table]}), "file")
    return tf.data.experimental.CsvDataset(path, [[0], [0]])


@each(table=list(BAD_TABLES))
def case_csv_that_fails_is_passed_over(tf, table):
    path = os.path.join(written({"file": BAD_TABLES[table] + b"\n8,9\n"}), "file")
    return tf.data.experimental.CsvDataset(path, [[0], [0]]).ignore_errors()


@each(
    record=["1,2.5,abc", ",,", '"1","2","a,b"', '1,2,"x""y"', "\n1,\n2,\nq"],
    shape=["one", "row", "table"],
)
def case_decode_csv(tf, record, shape):
    records = {"one": record, "row": [record] * 2, "table": [[record], [record]]}[shape]
    return list(tf.io.decode_csv(records, [[7], [0.5], ["none"]]))


@each(record=["1,2", "1,2,3,4", "x,2,c", '1,2,"c', '1,2,a"b', "1,2,c\n", ""])
def case_decode_csv_that_fails(tf, record):
    return list(tf.io.decode_csv([record], [[7], [0.5], ["none"]]))


@each(dtype=["int32", "int64", "float32", "float64"])
def case_decode_csv_limits(tf, dtype):
    texts = ["0", "-0", "+7", " 8 ", "2147483647", "-2147483648"]
    return list(tf.io.decode_csv(texts, [np.zeros(1, dtype)]))


BATCHES = {
    "in order": {"shuffle": False, "num_epochs": 1},
    "labels": {"shuffle": False, "num_epochs": 1, "label_name": "val"},
    "selected": {"shuffle": False, "num_epochs": 1, "select_columns": ["val", "id"]},
    "in turn": {"shuffle": False, "num_epochs": 1, "num_parallel_reads": 2},
    "shuffled": {"shuffle_seed": 7, "num_epochs": 2, "shuffle_buffer_size": 4},
    "shuffled in turn": {"shuffle_seed": 11, "num_epochs": 1, "num_parallel_reads": 2},
}


@each(options=list(BATCHES))
def case_make_csv_dataset(tf, options):
    head = b"id,name,val,big\n"
    files = {
        "1.csv": head + b"".join(b"%d,n%d,%d.5,%d\n" % (i, i, i, i * 10**10) for i in range(7)),
        "2.csv": head + b"".join(b"%d,n%d,%d,%d\n" % (i, i, i, i) for i in range(100, 105)),
    }
    names = names_in(written(files), files)
    return tf.data.experimental.make_csv_dataset(names, 5, **BATCHES[options])
