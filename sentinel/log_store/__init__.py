"""The wall: whatever costs money is appended to logs here once, and everything after it reads them from here.

In: log files, or records to append. Out: a `Corpus` with every unusable line explained, an inspection, a trace.
Foreign logs come in through `sentinel.log_store.importer`.
"""

from sentinel.log_store._codec import Record, record_from_dict, record_to_dict
from sentinel.log_store._debate_codec import debate_from_dict
from sentinel.log_store._inspection import Inspection, describe_log
from sentinel.log_store._path import list_files
from sentinel.log_store._reader import LogCorpus, keep_debates, load_corpus, load_debates, split_corpus
from sentinel.log_store._trace import trace_debate
from sentinel.log_store._writer import LogWriter

__all__ = [
    "Inspection",
    "LogCorpus",
    "LogWriter",
    "Record",
    "debate_from_dict",
    "describe_log",
    "keep_debates",
    "list_files",
    "load_corpus",
    "load_debates",
    "record_from_dict",
    "record_to_dict",
    "split_corpus",
    "trace_debate",
]
