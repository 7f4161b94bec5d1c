# The reference server, for suites that start their services in containers.
FROM node:22-slim

ARG FORMWIRE_VERSION=latest
RUN npm install --global "@formwire/reference-server@${FORMWIRE_VERSION}" \
  && mkdir /data && chown node:node /data

USER node
VOLUME /data
EXPOSE 8787

HEALTHCHECK --interval=1s --timeout=2s --start-period=10s --retries=30 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/_app/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Reachable from other containers; receivers of /_app/receivers are on loopback, which only the development rules allow.
ENTRYPOINT ["formwire-server", "--host", "0.0.0.0", "--allowed-host", "formwire", "--address-rules", "development"]
CMD ["--json", "--seed", "empty", "--clock", "manual"]
