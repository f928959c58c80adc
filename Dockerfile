# docker build -t subdrift . && docker run --rm --read-only --tmpfs /tmp -v "$PWD:/src:ro" subdrift check
FROM python:3.12-slim-bookworm AS build
WORKDIR /build
COPY pyproject.toml requirements.txt README.md LICENSE ./
COPY subdrift subdrift
COPY linter linter
COPY rules rules
COPY spark_jobs spark_jobs
RUN python -m venv /opt/subdrift \
    && /opt/subdrift/bin/pip install --no-cache-dir --require-hashes --requirement requirements.txt \
    && /opt/subdrift/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim-bookworm
# git lists the files and reads the commit of --new-from
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*' \
    && useradd --uid 10001 --no-create-home subdrift
COPY --from=build /opt/subdrift /opt/subdrift
ENV PATH=/opt/subdrift/bin:$PATH PYTHONDONTWRITEBYTECODE=1 SUBDRIFT_CACHE_DIR=/tmp/subdrift
USER 10001
WORKDIR /src
ENTRYPOINT ["subdrift"]
CMD ["check"]
