// A task over the Browser Agent Protocol, with nothing but WebSocket: order a lamp.
// node [--experimental-websocket] bap_task.mjs ADDRESS TOKEN PAGE
const [address, token, page] = process.argv.slice(2);
const socket = new WebSocket(`${address}?token=${token}`);
const waiting = new Map();
const events = [];
let number = 0;

socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.method) return void events.push(message);
  const [resolve, reject] = waiting.get(message.id);
  waiting.delete(message.id);
  message.error ? reject(message.error) : resolve(message.result);
};

const call = (method, params = {}) =>
  new Promise((resolve, reject) => {
    waiting.set(++number, [resolve, reject]);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: number, method, params }));
  });

await new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = reject;
});
const hello = await call("initialize", {
  protocolVersion: "0.2.0",
  clientInfo: { name: "node", version: process.version },
});
await call("events/subscribe", { events: ["page", "dialog"] });
await call("page/create", { url: page });

const seen = await call("agent/observe", { filterRoles: ["textbox", "button"] });
const [name] = seen.interactiveElements.filter((element) => element.role === "textbox");
const done = await call("agent/act", {
  steps: [
    { action: "action/fill", params: { selector: name.selector, value: "Ada" } },
    { action: "action/check", params: { selector: { type: "label", value: "Gift" } } },
    { action: "action/click", params: { selector: { type: "role", role: "button", name: "Order" } } },
  ],
  timeout: 30000,
});
await call("dialog/handle", { action: "accept" });
const thanks = await call("agent/extract", {
  instruction: "the number of the order",
  schema: { type: "object", properties: { order: { type: "number" } } },
});
let refused;
try {
  await call("action/click", { selector: { type: "ref", ref: "0-999999" } });
} catch (error) {
  refused = error;
}
await call("shutdown");
socket.close();
const dialogs = events.filter((event) => event.method === "event/dialog");
console.log(
  JSON.stringify({
    version: hello.protocolVersion,
    done,
    data: thanks.data,
    refused: refused.code,
    dialogs: dialogs.map((event) => event.params.message),
  }),
);
