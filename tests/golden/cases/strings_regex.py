"""strings_regex: RE2's language, and what is done with it."""

from tests.golden.case import each

# Pattern and text; every match becomes <>.
REPLACED = {
    "text": ("o", "hello world"),
    "group": ("(l+)", "hello"),
    "empty": ("", "abc"),
    "star": ("x*", "abxd"),
    "or": ("(a)|(b)", "abc"),
    "dot_newline": (".", "a\nb"),
    "start": ("^", "a\nb"),
    "end": ("$", "a\nb\n"),
    "end_of_lines": ("(?m)$", "a\nb\n"),
    "start_of_lines": ("(?m)^", "a\nb\n"),
    "digit": (r"\d", "1٣"),
    "not_digit": (r"\D", "1٣a"),
    "word": (r"\w", "aé_1"),
    "space": (r"\s", "a b\x0b\x0c\t\xa0"),
    "edge": (r"\b", "é a"),
    "no_edge": (r"\B", "é ab"),
    "dot": (".", "é日"),
    "ignore_case": ("(?i)é|a", "AaÉé"),
    "ignore_case_far": ("(?i)k|s", "\u212aKkſsS"),
    "letters": (r"\pL", "aé1"),
    "greek": (r"\p{Greek}+", "aαβ1"),
    "not_greek": (r"\P{Greek}", "aα1"),
    "not_greek_too": (r"\p{^Greek}", "aα1"),
    "upper_category": (r"\p{Lu}", "aÉB"),
    "alpha": ("[[:alpha:]]", "aé1"),
    "not_alpha": ("[[:^alpha:]]", "aé1"),
    "word_class": ("[[:word:]]", "aé1_-"),
    "end_of_text": (r"b\z", "ab"),
    "start_of_text": (r"\Aa", "aab"),
    "quoted": (r"\Q.+\E+", "a.+++b"),
    "named": ("(?P<n>a)", "ab"),
    "lazy": ("a+?", "aaa"),
    "ungreedy": ("(?U)a+", "aaa"),
    "ungreedy_lazy": ("(?U)a+?b", "aaab"),
    "dot_all": ("(?s)a.b", "a\nb"),
    "scoped_flag": ("(?i:a)", "aA"),
    "flag_in_the_middle": ("a(?i)a", "aAbB"),
    "flag_off": ("(?i)a(?-i)b", "AbAB"),
    "flag_in_group": ("(a(?i)b)c", "aBcaBC"),
    "no_least": ("a{,2}", "aaa{,2}"),
    "twice": ("a{2}", "aaaaa"),
    "two_to_three": ("a{2,3}", "aaaaaaa"),
    "never": ("a{0}", "aab"),
    "hex": (r"\x41", "A"),
    "long_hex": (r"\x{e9}", "é"),
    "octal": (r"\101", "A"),
    "bell": (r"\a", "\x07"),
    "zero": (r"\0", "\0"),
    "escaped_underscore": (r"\_", "_"),
    "escaped_minus": (r"\-\/\@", "-/@"),
    "bracket_first": ("[]a]", "]ab"),
    "not_bracket": ("[^]a]", "]ab"),
    "ands": ("[a&&b]", "a&b"),
    "open_bracket": ("[[a]", "[ab"),
    "digits_in_class": (r"[\d-]", "1-a"),
    "letters_in_class": (r"[\pL_]", "a1_"),
    "minus_last": ("[a-]", "a-b"),
    "range": ("[a-c]", "abcd"),
    "not_range": ("[^a-c\n]", "abcd\n"),
    "leftmost": ("a|ab", "ab"),
    "stars": ("(a*)+", "b"),
    "brace": ("a{", "a{b"),
    "closing_brace": ("}", "a}b"),
    "null": ("\0", "a\0b"),
    "nested": ("((a)b(c)?)+", "abcab"),
    "not_capturing": ("(?:ab)+", "ababa"),
    "line_feed_in_not": ("[^a]", "a\n"),
    "unicode_range": ("[а-я]", "приветZ"),
}


@each(name=list(REPLACED))
def case_replaced(tf, name):
    pattern, text = REPLACED[name]
    return [
        tf.strings.regex_replace(text, pattern, "<>"),
        tf.strings.regex_replace(text, pattern, r"[\0]", replace_global=False),
        tf.strings.regex_replace(text.encode() + b"\xff\xc3(", pattern, "<>"),
        tf.strings.regex_full_match([text, text.encode()[:1]], pattern),
    ]


REFUSED = {
    "lookahead": "a(?=b)",
    "lookbehind": "(?<=a)b",
    "not_ahead": "a(?!b)",
    "backreference": r"(a)\1",
    "unclosed": "(",
    "unopened": "a)",
    "end_in_perl": r"b\Z",
    "possessive": "a++",
    "atomic": "(?>a)",
    "condition": "(a)(?(1)b)",
    "verbose": "(?x)a a",
    "too_often": "a{1001}",
    "unicode_escape": r"\u00e9",
    "character_name": r"\N{DIGIT ONE}",
    "horizontal": r"\h",
    "escaped_letter": r"\é",
    "backspace": r"[\b]",
    "star_star": "a**",
    "star_alone": "*",
    "star_after_or": "a|*",
    "repeat_repeat": "a{2}{3}",
    "comment": "(?#c)a",
    "range_falls": "[z-a]",
    "range_to_class": r"[a-\d]",
    "control": r"\cA",
    "escape": r"\e",
    "line_break": r"\R",
    "grapheme": r"\X",
    "keep": r"a\Kb",
    "last_match": r"\Ga",
    "by_name": "(?P<n>a)(?P=n)",
    "unclosed_class": "[a",
    "unknown_class": "[[:nothing:]]",
    "unknown_script": r"\p{Nothing}",
    "trailing": "a\\",
    "counted_falls": "a{3,2}",
}


@each(name=list(REFUSED))
def case_refused(tf, name):
    return tf.strings.regex_replace("ab", REFUSED[name], "x")


USED = {
    "rewrite_groups": lambda tf: tf.strings.regex_replace("ab12", r"([a-z])(\d)", r"\2\1\0"),
    "rewrite_backslash": lambda tf: tf.strings.regex_replace("hello", "l", r"\\"),
    "rewrite_dollar": lambda tf: tf.strings.regex_replace("hello", "(l)", "$1"),
    "rewrite_é": lambda tf: tf.strings.regex_replace("ab", "a", "é"),
    "no_group": lambda tf: tf.strings.regex_replace("ab", "(a)|(b)", r"[\1\2]"),
    "rows": lambda tf: tf.strings.regex_replace([["ab"], ["ba"]], "a", "X"),
    "ragged": lambda tf: tf.strings.regex_replace(
        tf.ragged.constant([["ab"], ["ba", "a"]]), "a", "X"
    ),
    "bytes": lambda tf: tf.strings.regex_replace(b"ab", b"a", b"z"),
    "match": lambda tf: tf.strings.regex_full_match(["abc", "abcd"], "a.c"),
    "match_or": lambda tf: tf.strings.regex_full_match(["a", "ab"], "a|ab"),
    "match_end": lambda tf: tf.strings.regex_full_match(["a\n", "a"], "a$"),
    "match_ragged": lambda tf: tf.strings.regex_full_match(
        tf.ragged.constant([["a"], ["b", "a"]]), "a"
    ),
    "match_scalar": lambda tf: tf.strings.regex_full_match("", ""),
    "match_bad_utf8": lambda tf: tf.strings.regex_full_match(b"\xff", "."),
    "match_number": lambda tf: tf.strings.regex_full_match(5, "."),
}


@each(name=list(USED))
def case_used(tf, name):
    return USED[name](tf)
