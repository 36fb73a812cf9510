// @ts-check
// File inputs: what they take, and what they hold the moment the page is told of it. A page may
// empty the input or leave in answer to `change`, so the files are reported from inside the event.

const MOST_FILES = 5000;

function isFileInput(element) {
  return element instanceof HTMLInputElement && element.type === "file";
}

function fileFacts(input) {
  return { multiple: input.multiple, directory: input.webkitdirectory, accept: input.accept };
}

function heldFiles(input) {
  const files = Array.from(input.files || []);
  return {
    count: files.length,
    files: files
      .slice(0, MOST_FILES)
      .map((f) => ({ name: f.webkitRelativePath || f.name, size: f.size, type: f.type })),
  };
}

// Waits until a file input is enabled; other elements are not waited for: a press decides there.
async function prepareFiles(element, { timeoutMs }) {
  const deadline = now() + timeoutMs;
  for (;;) {
    if (!element.isConnected || element.ownerDocument !== document) return { why: "detached" };
    if (!isFileInput(element)) return { ok: true, direct: false };
    if (!element.matches(":disabled")) return { ok: true, direct: true, ...fileFacts(element) };
    if (now() >= deadline) return { why: "disabled" };
    await nextFrame();
  }
}

// Whether the input holds files now. A page that has taken them often empties it, so that the same
// file can be chosen once more.
const holdsFiles = (input) => Boolean(input.files && input.files.length);

// Begin to report what the page is told of this input, which may be in no document at all.
function armFiles(input, { token, lifeMs }) {
  arm(input.isConnected ? input : null, { kind: "files", token, lifeMs });
  for (const type of ["input", "change", "cancel"]) {
    const hear = (event) => {
      if (action === null || action.token !== token) input.removeEventListener(type, hear, true);
      else report(type, { type, trusted: event.isTrusted, ...heldFiles(input) });
    };
    input.addEventListener(type, hear, true);
  }
  return fileFacts(input);
}
