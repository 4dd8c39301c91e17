"""Which loader reads which kind of dataset."""

from sentinel.dataset import (
    _arc,
    _arithmetic_demo,
    _commonsense_qa,
    _gpqa,
    _gsm8k,
    _halueval,
    _mmlu,
    _mmlu_pro,
    _musr,
    _ragtruth,
    _scifact,
    _squad_v2,
    _strategyqa,
    _table,
    _truthfulqa,
    _vitaminc,
    _wice,
    _winogrande,
)
from sentinel.dataset._draft import Loader
from sentinel.settings import DatasetKind

LOADERS: dict[DatasetKind, Loader] = {
    DatasetKind.arithmetic_demo: _arithmetic_demo.LOADER,
    DatasetKind.arc: _arc.LOADER,
    DatasetKind.commonsense_qa: _commonsense_qa.LOADER,
    DatasetKind.gsm8k: _gsm8k.LOADER,
    DatasetKind.mmlu: _mmlu.LOADER,
    DatasetKind.truthfulqa: _truthfulqa.LOADER,
    DatasetKind.winogrande: _winogrande.LOADER,
    DatasetKind.mmlu_pro: _mmlu_pro.LOADER,
    DatasetKind.squad_v2: _squad_v2.LOADER,
    DatasetKind.strategyqa: _strategyqa.LOADER,
    DatasetKind.musr: _musr.LOADER,
    DatasetKind.gpqa: _gpqa.LOADER,
    DatasetKind.vitaminc: _vitaminc.LOADER,
    DatasetKind.wice: _wice.LOADER,
    DatasetKind.halueval: _halueval.LOADER,
    DatasetKind.scifact: _scifact.LOADER,
    DatasetKind.ragtruth: _ragtruth.LOADER,
    DatasetKind.table: _table.LOADER,
}
