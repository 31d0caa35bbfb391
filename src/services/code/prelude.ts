/** JavaScript that defines `tools`, `console` and `ToolError` inside the interpreter. */

export const prelude = `((call, print, list) => {
  class ToolError extends Error {
    constructor(message, tool, structured) {
      super(message);
      this.name = 'ToolError';
      this.tool = tool;
      this.structured = structured;
    }
  }
  const { parse, stringify } = JSON;
  const run = (tool) => async (args = {}) => {
    const answer = parse(await call(tool, stringify(args) ?? '{}'));
    if (answer.type === 'error') throw new ToolError(answer.message, answer.tool, answer.structured);
    return answer.value;
  };
  const missing = (name) => new ToolError('There is no tool ' + name + '. tools.ls() lists the tools.', name);
  const guard = (own, path) => new Proxy(own, {
    get(target, key) {
      if (typeof key !== 'string' || key in target || key === 'then' || key === 'toJSON') return target[key];
      throw missing(path + key);
    },
    set() { return false; },
  });
  const root = Object.create(null);
  for (const { path, tool } of parse(list)) {
    let at = root;
    for (const part of path.slice(0, -1)) at = at[part] ??= Object.create(null);
    at[path.at(-1)] = run(tool);
  }
  for (const key of Object.keys(root)) if (typeof root[key] === 'object') root[key] = guard(root[key], key + '.');
  for (const name of ['search', 'describe', 'ls', 'cat'])
    root[name] ??= async (text = '') => (await run('.' + name)({ text: String(text) }));
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message;
    try { return stringify(value, null, 1) ?? String(value); } catch { return String(value); }
  };
  const log = (...values) => print(values.map(show).join(' ') + '\\n');
  Object.assign(globalThis, {
    ToolError, tools: guard(root, ''), print: log,
    console: { log, info: log, warn: log, error: log, debug: log },
  });
})`;
