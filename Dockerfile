# Andon for a plant's computer: docs/plant-pc.md. The image holds the built service; data and secrets are in the volume.
FROM node:24.21.0-bookworm-slim

# Webhooks, mail and push services are called over TLS.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/andon
COPY package.json package-lock.json ./
COPY bridge/package.json bridge/
# With the development dependencies: the runtime (workerd) is one of them.
RUN npm ci
COPY . .
RUN npm run build

ENV HOST=0.0.0.0 PORT=8788 ANDON_STATE=/var/lib/andon
RUN install -d -o node -g node -m 0700 /var/lib/andon
VOLUME /var/lib/andon
USER node
EXPOSE 8788
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would be a third process. It ends within five seconds of SIGTERM.
CMD ["node", "--disable-warning=ExperimentalWarning", "scripts/serve/main.ts"]
