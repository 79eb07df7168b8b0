import pypto.language as pl


@pl.jit
def ledger(entry: pl.Tensor, account: pl.InOut[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        account[:] = account + entry
    return account
