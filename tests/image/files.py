"""The small images that TensorFlow decoded for the golden cases, and ways to damage them."""

from pathlib import Path

from hypothesis import strategies as st

from feedline.errors import DecodeError

FOLDER = Path(__file__).parents[1] / "golden" / "files" / "image"
FILES = {p.name: p.read_bytes() for p in sorted(FOLDER.iterdir()) if p.is_file()}
FILES.pop("make.py")


def of(kind):
    return {name: data for name, data in FILES.items() if name.endswith(f".{kind}")}


@st.composite
def damaged(draw, kind):
    """A file with a few bytes changed, put in, or cut off."""
    data = bytearray(draw(st.sampled_from(list(of(kind).values()))))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        how = draw(st.sampled_from(["change", "insert", "cut", "fill"]))
        if how == "change" and data:
            data[at] = draw(st.integers(0, 255))
        elif how == "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=5))
        elif how == "cut":
            del data[at:]
        elif how == "fill":
            data[at : at + 2] = b"\xff\xff"
    return bytes(data)


def pixels_or_error(decode):
    """What a decoder gives; None for an error that names the call. Any other goes on up."""
    try:
        return decode()
    except DecodeError as error:
        if not str(error).startswith("f(): "):
            raise
    return None
