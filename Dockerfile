# The reference server of this clone, for suites that start their services in containers.
FROM node:22-slim AS build
WORKDIR /formwire
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile \
  && npx -y pnpm@12 --filter @formwire/reference-server... build \
  && npx -y pnpm@12 --filter @formwire/contract --filter @formwire/reference-server pack --pack-destination "$PWD/tarballs" \
  && mkdir data

FROM node:22-slim
WORKDIR /formwire
COPY --from=build /formwire/tarballs tarballs
RUN npm install --global ./tarballs/*.tgz
COPY --from=build --chown=node:node /formwire/data /data

USER node
VOLUME /data
EXPOSE 8787

HEALTHCHECK --interval=1s --timeout=2s --start-period=10s --retries=30 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/_app/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Reachable from other containers; receivers of /_app/receivers are on loopback, which only the development rules allow.
ENTRYPOINT ["formwire-server", "--host", "0.0.0.0", "--allowed-host", "formwire", "--address-rules", "development"]
CMD ["--json", "--seed", "empty", "--clock", "manual"]
