# An image of the service: API, deliveries and dashboard, without npm and without root.
#
# No container engine has run this file. What was run, on Debian: the commands of the first stage on
# the files that .dockerignore leaves, and CMD as an unprivileged user who could not write to the tree
# that they leave, until the set-up page and the documents responded. The files of that tree have
# 260 MB together, and the base has about 80 MB.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/playwright-kit/package.json packages/playwright-kit/
COPY tools/openapi-types/package.json tools/openapi-types/
# The lockfile also brings the Node.js that the service runs on.
RUN npm ci
COPY . .
# Without the packages that only the build needs.
RUN npm run bundle -- --folder /bundle

# It has the C and C++ libraries that Node.js needs. Alpine has others.
FROM debian:13-slim
WORKDIR /app
COPY --from=build /bundle ./
# The key, the embedded database and the outbox. Without the volume, the root file system can be
# read-only; /tmp is for the socket to the process that renders pages.
RUN useradd --system --uid 10001 --no-create-home service \
 && mkdir -m 0700 /data && chown 10001 /data
VOLUME ["/data", "/tmp"]
USER 10001
ENV NODE_ENV=production \
    PATH=/app/node_modules/.bin:$PATH \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/compiled \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=1048576
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--semi-space-growth-factor=32", "service/main.ts"]
