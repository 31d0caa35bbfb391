/**
 * The part of generated bindings that makes the calls, as source of each language. A program connects to the Unix socket that
 * its environment names, sends the token of its run as the first line, and then one line of JSON per call.
 */
import type { Binding } from './binding-names.ts';

/** Environment of a program that may call tools. */
export const brokerEnv = { socket: 'KENNEL_TOOLS_SOCKET', token: 'KENNEL_TOOLS_TOKEN' } as const;

/** The module `_kennel`. Each thread and each process has a connection of its own. */
export const pythonRuntime = `"""Calls tools of the agent. Generated: changes are lost."""
import json
import os
import socket
import threading

_local = threading.local()


class ToolError(Exception):
    """A call that was refused or failed."""

    def __init__(self, message, tool, structured=None):
        super().__init__(message)
        self.tool = tool
        self.structured = structured


class _Unset:
    def __repr__(self):
        return "unset"


unset = _Unset()  # type: ignore


def _stream(tool):
    if getattr(_local, "process", None) != os.getpid():
        path = os.environ.get("${brokerEnv.socket}")
        if not path:
            raise ToolError("This program was not started with access to tools.", tool)
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(path)
        _local.stream = connection.makefile("rwb")
        _local.process = os.getpid()
        _send({"token": os.environ.get("${brokerEnv.token}", "")})
    return _local.stream


def _send(value):
    _local.stream.write(json.dumps(value).encode() + b"\\n")
    _local.stream.flush()


def call(tool, arguments):
    """Calls a tool by its own name."""
    given = {key: value for key, value in arguments.items() if value is not unset}
    try:
        stream = _stream(tool)
        _send({"tool": tool, "args": given})
        line = stream.readline()
    except OSError as error:
        _local.process = None
        raise ToolError("The connection to the tools failed: " + str(error), tool) from error
    if not line:
        _local.process = None
        raise ToolError("The connection to the tools was closed.", tool)
    answer = json.loads(line)
    if answer["type"] == "error":
        raise ToolError(answer["message"], answer.get("tool", tool), answer.get("structured"))
    return answer["value"]


def search(text=""):
    """Finds tools by words of their names and descriptions."""
    return call(".search", {"text": str(text)})


def describe(name):
    """The declaration of a tool."""
    return call(".describe", {"text": str(name), "language": "python"})


def ls(text=""):
    """The tools; with a text, the generated files whose path begins with it."""
    return call(".ls", {"text": str(text)})


def cat(path):
    """The text of a generated file."""
    return call(".cat", {"text": str(path)})
`;

const javascriptHead = `// Tools as functions. Generated: changes are lost.
import { connect } from 'node:net';

export class ToolError extends Error {
  constructor(message, tool, structured) {
    super(message);
    this.name = 'ToolError';
    this.tool = tool;
    this.structured = structured;
  }
}

const waiting = new Map();
let socket = null;
let calls = 0;

function fail(ended, message) {
  if (ended !== socket) return;
  socket = null;
  for (const { tool, reject } of waiting.values()) reject(new ToolError(message, tool));
  waiting.clear();
}

function receive(line) {
  const answer = JSON.parse(line);
  const call = waiting.get(answer.id);
  waiting.delete(answer.id);
  if (waiting.size === 0) socket?.unref();
  if (!call) return;
  if (answer.type === 'error') call.reject(new ToolError(answer.message, answer.tool ?? call.tool, answer.structured));
  else call.resolve(answer.value);
}

function open() {
  const opened = connect(process.env.${brokerEnv.socket});
  const pieces = [];
  opened.setEncoding('utf8');
  opened.on('data', (text) => {
    const lines = text.split('\\n');
    while (lines.length > 1) {
      pieces.push(lines.shift());
      receive(pieces.splice(0).join(''));
    }
    pieces.push(lines[0]);
  });
  opened.on('error', (error) => fail(opened, 'The connection to the tools failed: ' + error.message));
  opened.on('close', () => fail(opened, 'The connection to the tools was closed.'));
  opened.write(JSON.stringify({ token: process.env.${brokerEnv.token} ?? '' }) + '\\n');
  return opened;
}

export function call(tool, args = {}) {
  if (!process.env.${brokerEnv.socket})
    return Promise.reject(new ToolError('This program was not started with access to tools.', tool));
  return new Promise((resolve, reject) => {
    socket ??= open();
    calls += 1;
    waiting.set(calls, { tool, resolve, reject });
    socket.ref();
    socket.write(JSON.stringify({ id: calls, tool, args }) + '\\n');
  });
}

const root = Object.create(null);
for (const [path, tool] of LIST) {
  let at = root;
  for (const part of path.slice(0, -1)) at = at[part] ??= Object.create(null);
  at[path.at(-1)] = (args) => call(tool, args);
}
for (const name of ['search', 'describe', 'ls', 'cat']) root[name] = (text = '') => call('.' + name, { text: String(text) });

export const tools = root;
`;

/** The module `tools.mjs`, for Node. */
export function javascriptBindings(bindings: readonly Binding[]): string {
  const list = JSON.stringify(bindings.map(({ path, tool }) => [path, tool.name]));
  return javascriptHead.replace('LIST', () => list);
}
