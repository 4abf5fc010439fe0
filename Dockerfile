# The image of Odograph: docs/containers.md says how to run it.
#   docker build --tag odograph .

FROM node:24-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run compile

# The program holds Bun, its own certificates and its own time zones, so no package is installed here.
FROM debian:trixie-slim
LABEL org.opencontainers.image.title="Odograph" \
      org.opencontainers.image.description="Fleet tracking service: tracker frames in, a read-only HTTP/JSON API out." \
      org.opencontainers.image.licenses="Apache-2.0"
# The numbers never change: they own the files of volumes. Group 0 may write, too, so that any other user can be chosen:
# `docker run --user 1234` is in that group, and so are the users that OpenShift makes up.
RUN groupadd --gid 10001 odograph \
 && useradd --uid 10001 --gid odograph --home-dir /var/lib/odograph --no-create-home --shell /usr/sbin/nologin odograph \
 && install --directory --mode 0770 --owner odograph --group root /var/lib/odograph /var/backups/odograph
COPY --from=build /src/dist/odograph /usr/local/bin/odograph
ENV ODOGRAPH_HOST=0.0.0.0 \
    ODOGRAPH_DATA=/var/lib/odograph
WORKDIR /var/lib/odograph
USER 10001:10001
VOLUME /var/lib/odograph
# 8080: API and portal. 8081: frames, /ready and /metrics, not for everybody.
EXPOSE 8080 8081
# The start may take long once, when a new version converts the store.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["odograph", "healthy"]
ENTRYPOINT ["odograph"]
CMD ["serve"]
