// A controller of the Action Protocol in Node, with no code of ours and no package: it orders an
// item on a shop's page. Node of this age has no WebSocket, so the few frames that a client needs
// are written here: text up to 64 KiB out, text of any length in.
//
//   node controller.mjs ws://127.0.0.1:PORT/action?token=TOKEN http://shop.test/

import { randomBytes } from "node:crypto";
import http from "node:http";

const [address, shop] = process.argv.slice(2);
const url = new URL(address);

function connect() {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: url.hostname, port: url.port, path: url.pathname + url.search,
      headers: { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": randomBytes(16).toString("base64") },
    });
    request.on("upgrade", (_, socket, head) => resolve({ socket, head }));
    request.on("response", (response) => reject(new Error(`refused: ${response.statusCode}`)));
    request.on("error", reject);
    request.end();
  });
}

const { socket, head } = await connect();
const waiting = [], messages = [];
let buffer = head, parts = [];

function send(text) {
  const data = Buffer.from(text), mask = randomBytes(4);
  const length = data.length < 126 ? Buffer.from([0x80 | data.length]) : Buffer.from([0x80 | 126, data.length >> 8, data.length & 255]);
  socket.write(Buffer.concat([Buffer.from([0x81]), length, mask, data.map((byte, i) => byte ^ mask[i % 4])]));
}

function read() {
  while (buffer.length >= 2) {
    let size = buffer[1] & 127, start = 2;
    if (size === 126) [size, start] = [buffer.length >= 4 ? buffer.readUInt16BE(2) : Infinity, 4];
    else if (size === 127) [size, start] = [buffer.length >= 10 ? Number(buffer.readBigUInt64BE(2)) : Infinity, 10];
    if (buffer.length < start + size) return;
    const code = buffer[0] & 15, data = buffer.subarray(start, start + size), last = buffer[0] & 128;
    buffer = buffer.subarray(start + size);
    if (code > 2) continue; // pings are not sent within the time that this takes
    parts.push(data);
    if (!last) continue;
    const message = JSON.parse(Buffer.concat(parts).toString());
    parts = [];
    if (waiting.length) waiting.shift()(message);
    else messages.push(message);
  }
}

socket.on("data", (data) => { buffer = Buffer.concat([buffer, data]); read(); });
socket.on("close", () => process.exit(1));
read();

const next = () => (messages.length ? Promise.resolve(messages.shift()) : new Promise((resolve) => waiting.push(resolve)));
const log = [];
let tree = [];

async function snapshot() {
  const message = await next();
  if (message.type !== "Snapshot") throw new Error(`no snapshot: ${JSON.stringify(message)}`);
  tree = message.data.tree;
  return message.data;
}

async function act(data) {
  send(JSON.stringify({ type: "ActionCommand", data }));
  const { type, data: result } = await next();
  if (type !== "ActionResult") throw new Error(`no result: ${type}`);
  const seen = await snapshot();
  log.push({ command: data.type, success: result.success, error: result.error, data: result.data });
  return { result, seen };
}

const ref = (role, name) => {
  const found = tree.filter((line) => line.role === role && line.name === name);
  if (found.length !== 1) throw new Error(`${found.length} of ${role} ${name}: ${JSON.stringify(tree)}`);
  return found[0].id;
};

await snapshot();
await act({ type: "navigate_to", url: shop });
await act({ type: "type_text", ref: ref("textbox", "Name"), text: "Ada" });
await act({ type: "click_element", ref: ref("checkbox", "Gift") });
await act({ type: "scroll_to", x: 0, y: 4000 });
const { seen } = await act({ type: "click_element", ref: ref("button", "Order") });
if (seen.dialog?.message !== "Order now?") throw new Error(`no question: ${JSON.stringify(seen)}`);
const done = await act({ type: "answer_dialog", accept: true });
await act({ type: "click_element", ref: 99 });
console.log(JSON.stringify({ log, title: done.seen.title }));
socket.removeAllListeners("close");
socket.end();
