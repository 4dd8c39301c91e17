"""`--help`: what can be run and chosen, read from conf/ without composing it (Hydra's own page takes two seconds)."""

import re
from collections.abc import Iterator

from sentinel._config_dir import config_folders, list_groups
from sentinel.paths import conf_dir

USAGE = """\
sentinel decides when to overturn the majority vote of a multi-agent LLM debate.

Usage: python -m sentinel [FLAGS] [group=option ...] [key=value ...]

  python -m sentinel                                              evaluate the embedded simulated corpus
  python -m sentinel corpus=file 'corpus.path=logs/*.jsonl'       evaluate your own debate logs
  python -m sentinel experiment=ablation                          a table or figure of the paper, by name
  python -m sentinel --multirun 'seed=range(20)'                  a sweep, with one summary at its end
  python -m sentinel task=inspect 'corpus.path=logs/*.jsonl'      is this log sound?
  python -m sentinel task=train 'corpus.path=logs/*.jsonl' out=DIR
  python -m sentinel task=decide model=DIR corpus.path=new.jsonl
"""

FLAGS = """\
Flags
  --multirun            run all combinations of comma-separated values
  --cfg job             print the whole configuration and stop; --cfg job --package GROUP prints a part
  --config-dir DIR      add options of your own: DIR/GROUP/NAME.yaml
  --hydra-help          Hydra's flags and groups (launchers, sweepers, output folders)

Put values with blanks or any of = , ( ) [ ] in quotes, inside and out: 'corpus.path="my logs/a=b.jsonl"'
"""

# Groups without a place of their own in the configuration.
_PLACED = {"roles": "personas, chosen by 'roles@agents.AGENT.role=ROLE'"}
_DEFAULT = re.compile(r"^  - (?P<group>\w+): (?P<option>\w+)\s*(?:#\s*(?P<about>.*))?$")
_KEY = re.compile(r"^(?P<key>\w+): (?P<value>[^#{]+?)\s*#\s*(?P<about>.*)$")


def format_help(arguments: list[str]) -> str:
    """Return the help page, with the options that `--config-dir` adds."""
    return "\n".join([USAGE, *_describe_keys(), "", *_describe_groups(arguments), "", FLAGS])


def _describe_keys() -> Iterator[str]:
    yield "Keys (key=default)"
    for line in _config_lines():
        if match := _KEY.match(line):
            yield f"  {match['key'] + '=' + match['value']:<20}  {match['about']}"


def _describe_groups(arguments: list[str]) -> Iterator[str]:
    groups = list_groups(config_folders(arguments))
    known = {match["group"]: match for line in _config_lines() if (match := _DEFAULT.match(line))}
    yield "Groups (group=option; * is the default)"
    for name in [*known, *sorted(groups.keys() - known.keys())]:
        default = known[name]["option"] if name in known else None
        about = known[name]["about"] if name in known else _PLACED.get(name)
        yield f"  {name}" + (f": {about}" if about else "")
        options = [f"{option}*" if option == default else option for option in sorted(groups[name])]
        yield from _wrap(", ".join(options), 106)


def _wrap(text: str, width: int) -> Iterator[str]:
    line = "     "
    for word in text.split(" "):
        if len(line) + len(word) + 1 > width:
            yield line
            line = "     "
        line += f" {word}"
    yield line


def _config_lines() -> list[str]:
    return (conf_dir() / "config.yaml").read_text(encoding="utf-8").splitlines()
