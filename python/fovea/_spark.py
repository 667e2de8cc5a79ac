# SPDX-License-Identifier: Apache-2.0
"""Plumbing of fovea.spark: sessions, workers, and what stages find in storage, so that a job can go on after a crash."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
import weakref

import fovea
from fovea._errors import InputError, LimitError, UsageError

# For a session that starts after this import, on this machine.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

_NEEDED = "fovea.spark needs PySpark 4 or later: pip install 'fovea-engine[spark]', and Java 17 (openjdk-17-jre-headless)"
_REMEDY_WORKERS = (
    "Install the same wheel of fovea-engine on all workers, and set PYSPARK_PYTHON to their Python before the session "
    "starts; on one machine, import fovea.spark first"
)
_BYTES_OF_A_ROW_GROUP = 1 << 25
_ROWS_OF_A_PARTITION = 400_000


def check_session(df):
    """Returns the session of a DataFrame. Raises UsageError if it cannot be used."""
    try:
        import pyspark
        from pyspark.sql import DataFrame
    except ImportError:
        raise UsageError(_NEEDED) from None
    if int(pyspark.__version__.split(".")[0]) < 4:
        raise UsageError(f"{_NEEDED}; this is PySpark {pyspark.__version__}")
    if not isinstance(df, DataFrame):
        raise UsageError(f"argument df: needs a DataFrame of Spark, not {type(df).__name__}; on one machine, see Dedupe")
    if not hasattr(df.sparkSession, "_jvm"):
        raise UsageError("argument df: is of a session of Spark Connect; a session of the driver itself is needed")
    return df.sparkSession


def check_workers(spark):
    """Refuses workers that lack this package, or have another version of it or of Python."""
    import pyarrow as pa

    def versions(batches):
        for _ in batches:
            import fovea as own

            yield pa.record_batch({"version": [f"fovea {own.__version__}, Python {sys.version_info[0]}.{sys.version_info[1]}"]})

    here = f"fovea {fovea.__version__}, Python {sys.version_info[0]}.{sys.version_info[1]}"
    tasks = spark.sparkContext.defaultParallelism
    try:
        found = spark.range(tasks, numPartitions=tasks).mapInArrow(versions, "version string").distinct().collect()
    except Exception as error:
        if re.search(r"No module named '(fovea|pyarrow)", str(error)) or "PYTHON_VERSION_MISMATCH" in str(error):
            reason = re.search(r"No module named '[\w.]+'|PYTHON_VERSION_MISMATCH", str(error)).group()
            raise UsageError(f"the workers' Python cannot run fovea: {reason}. {_REMEDY_WORKERS}") from None
        raise
    others = sorted({row.version for row in found} - {here})
    if others:
        raise UsageError(f"a worker has {others[0]}, the driver {here}. {_REMEDY_WORKERS}")


@contextlib.contextmanager
def library_errors():
    """Raises what the library raised in a worker, without Spark's traceback."""
    try:
        yield
    except Exception as error:
        found = re.search(r"fovea[\w.]*\.(InputError|UsageError|LimitError): ([^\n]+)", str(error))
        if not found or isinstance(error, (InputError, UsageError, LimitError)):
            raise
        kinds = {kind.__name__: kind for kind in (InputError, UsageError, LimitError)}
        raise kinds[found.group(1)](found.group(2)) from error


def fingerprint(*parts):
    """A short hash of texts and of what JSON can hold."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def exists(spark, path):
    """Whether there is such a file or folder, in any file system that Spark knows."""
    file = spark._jvm.org.apache.hadoop.fs.Path(path)
    return file.getFileSystem(spark._jsc.hadoopConfiguration()).exists(file)


class Storage:
    """Folder with a Parquet for each stage, named after a fingerprint of what it was made from.

    session: one of its own, for frames of few rows that hold megabytes each: by the settings of other sessions, Spark
    reads thousands of rows at once."""

    def __init__(self, spark, folder):
        self._spark = spark
        self.session = spark.newSession()
        self.session.conf.set("spark.sql.parquet.columnarReaderBatchSize", 8)
        self.session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 16)
        self.seconds = {}
        self.skipped = []
        self.is_temporary = folder is None
        if folder is None:
            if not spark.sparkContext.master.startswith(("local", "spark://localhost", "spark://127.")):
                raise UsageError("argument storage: workers on several machines need a folder that all of them reach")
            folder = tempfile.mkdtemp(prefix="fovea-spark-")
            weakref.finalize(spark, shutil.rmtree, folder, ignore_errors=True)
        self._folder = folder.rstrip("/")

    def stage(self, name, mark, make, spark=None):
        """The Parquet of a stage, which make() computes unless it is there. mark: its fingerprint. spark: the session by
        which it is read; None: that of this object."""
        path = f"{self._folder}/{name}-{mark}"
        begin = time.monotonic()
        if exists(self._spark, path + "/_SUCCESS"):  # which Spark writes last
            self.skipped.append(name)
        else:
            with self.described(name), library_errors():
                make().write.mode("overwrite").option("parquet.block.size", _BYTES_OF_A_ROW_GROUP).parquet(path)
        self.seconds[name] = time.monotonic() - begin
        return (spark or self.session).read.parquet(path)

    @contextlib.contextmanager
    def described(self, name):
        """Names what runs inside in Spark's own pages."""
        context = self._spark.sparkContext
        context.setJobDescription(f"fovea: {name}")
        try:
            yield
        finally:
            context.setJobDescription(None)


def partitions_for(spark, rows):
    """Number of tasks of a stage over that many rows."""
    return max(spark.sparkContext.defaultParallelism, -(-rows // _ROWS_OF_A_PARTITION))


def codes_of_partitions(spark, count, number="bucket"):
    """A column that sends the rows of each number, from 0, to a partition of their own, in repartition(count, it)."""
    from pyspark.sql import functions as F

    found = {}
    for begin in range(0, 1 << 30, 64 * count):
        numbers = spark.range(begin, begin + 64 * count, numPartitions=1)
        place = F.pmod(F.hash(F.col("id").cast("int")), F.lit(count))
        for row in numbers.groupBy(place.alias("place")).agg(F.min("id").cast("int").alias("code")).collect():
            found.setdefault(row.place, row.code)
        if len(found) == count:
            break
    codes = F.array(*[F.lit(found[place]) for place in range(count)])
    return F.element_at(codes, F.col(number) + 1)


def content_of(df):
    """A digest of a DataFrame's rows, in any order."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import MapType

    columns = [F.col(_quoted(f.name)) for f in df.schema.fields if not isinstance(f.dataType, MapType)]
    digest = F.sum(F.xxhash64(*columns).cast("decimal(38,0)"))
    return [str(cell) for cell in df.select(F.count("*"), digest).first()]


def _quoted(name):
    return "`" + name.replace("`", "``") + "`"


def column(name):
    """A column by its plain name, whatever it holds."""
    from pyspark.sql import functions as F

    return F.col(_quoted(name))
