// Node-RED as it comes, without tours, telemetry and log noise.
module.exports = {
  uiHost: "127.0.0.1",
  uiPort: Number(process.env.BENCH_PORT),
  userDir: process.env.BENCH_DATA,
  flowFile: "flows.json",
  credentialSecret: "bench",
  diagnostics: { enabled: false },
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: { enabled: false } },
  logging: { console: { level: "warn" } },
};
