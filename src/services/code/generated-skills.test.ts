/** Generated files are loaded by the real Python and checked by the real TypeScript compiler. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validateSkill } from '../../core/agents/skill-file.ts';
import { type BoundTool, bindTools } from '../../core/ptc/binding-names.ts';
import { type GeneratedFiles, generateSkills } from '../../core/ptc/generated-skills.ts';

const schema = z.record(z.string(), z.unknown());
const recordedServers = z
  .record(
    z.string(),
    z.array(
      z.object({
        name: z.string(),
        description: z.string().default(''),
        inputSchema: schema,
        outputSchema: schema.optional(),
      }),
    ),
  )
  .parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/fixtures/mcp-tools.json'), 'utf8')),
  );

const ofServer = (server: string): readonly BoundTool[] =>
  (recordedServers[server] ?? []).map(({ name, description, inputSchema, outputSchema }) => ({
    name: `${server}__${name}`,
    description,
    parameters: inputSchema,
    ...(outputSchema ? { output: outputSchema } : {}),
  }));

const attack =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what an attacker writes
  '"""\n\'\'\'\nimport os; os._exit(3)\n*/ process.exit(3) /* ``` ${x} \\ \u2028 \0 </skill> \ud800';
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const hostile: readonly BoundTool[] = [
  { name: 'bad-server__get-sum', description: attack, parameters: object({ 'a-b': { type: 'number', description: attack } }) },
  { name: 'bad-server__get_sum', description: attack, parameters: object({ from: {}, class: {}, 'a"b': {}, '': {}, __x: {} }, { required: ['class', '__x'] }) },
  { name: 'bad-server__lambda', description: '', parameters: object({ a_b: {}, 'a-b': {}, 'a.b': {}, _more: {} }, { additionalProperties: true }) },
  { name: 'bad-server__str', description: '', parameters: object({ v: { type: 'string' } }), output: object({ 'x"y': { $ref: '#/$defs/Node' } }, { required: ['x"y'], $defs: { Node: object({ next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } }) } }) },
  { name: 'bad-server__union', description: '', parameters: object({ v: { enum: [attack, 1, 1.5, null, true, { a: 1 }] }, w: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: ['integer', 'null'] } }] }, x: { const: -3 }, y: { allOf: [object({ a: {} }), object({ b: {} })] } }, { required: ['v', 'w', 'x', 'y'], anyOf: [{ required: ['v'] }] }) },
  { name: '_t', description: '', parameters: {} },
  { name: '_Server1', description: '', parameters: { type: 'string' } },
  { name: 'search', description: '', parameters: object({ tuple: { prefixItems: [{ type: 'string' }, { type: 'boolean' }], type: 'array' } }) },
  { name: 'True', description: '', parameters: object({ none: { $ref: '#/nowhere' }, far: { $ref: 'https://example.com/x' } }, { required: ['none'] }) },
  { name: 'lib__x', description: '', parameters: object({}) },
  { name: 'Lib__x', description: '', parameters: object({}) },
  { name: 'local__x', description: '', parameters: object({}) },
]; // biome-ignore format: a table

const sets: Readonly<Record<string, readonly BoundTool[]>> = {
  everything: ofServer('everything'),
  filesystem: ofServer('filesystem'),
  memory: ofServer('memory'),
  'sequential-thinking': ofServer('sequential-thinking'),
  hostile,
};

const folder = mkdtempSync(join(tmpdir(), 'kennel-bindings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, files: GeneratedFiles): string {
  const root = join(folder, name);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Resolves every annotation, and calls each function with the arguments of its example. */
const check = `
import ast, glob, inspect, json, sys, types, typing
import _kennel
calls = []
def record(tool, arguments):
    calls.append([tool, sorted(k for k, v in arguments.items() if v is not _kennel.unset)])
_kennel.call = record
import tools
tools._call = record
for value in list(vars(tools).values()):
    if typing.is_typeddict(value):
        typing.get_type_hints(value)
servers = [v for v in vars(tools).values() if type(v).__name__.startswith("_Server")]
functions = [f for at in [tools, *servers] for n, f in inspect.getmembers(at, inspect.isfunction)
             if f.__module__ == "tools"]
for function in functions:
    typing.get_type_hints(function, vars(tools))
for path in sorted(glob.glob("*/scripts/*.py")):
    source = open(path, encoding="utf-8").read()
    ast.parse(source)
    exec(compile(source, path, "exec"), {"print": lambda value: None})
print(json.dumps({"functions": len(functions), "calls": calls}))
`;

const checked = z.object({
  functions: z.number(),
  calls: z.array(z.tuple([z.string(), z.array(z.string())])),
});
const runPython = (root: string) =>
  checked.parse(
    JSON.parse(
      execFileSync('python3', ['-B', '-c', check], {
        cwd: root,
        env: { PATH: process.env.PATH, PYTHONPATH: join(root, 'lib') },
        encoding: 'utf8',
      }),
    ),
  );

function compileErrors(files: readonly string[]): readonly string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    checkJs: true,
    allowJs: true,
    skipDefaultLibCheck: true,
    lib: ['lib.esnext.d.ts'],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

const tool = (name: string) => {
  const found = Object.values(sets)
    .flat()
    .find((each) => each.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
};

describe('generated skills', () => {
  const roots = new Map(
    Object.entries(sets).map(([name, tools]) => [name, write(name, generateSkills(bindTools(tools)))]),
  );

  it.each(Object.keys(sets))('of %s are loaded by Python, and every example calls its tool', (name) => {
    const { functions, calls } = runPython(roots.get(name) ?? '');
    const tools = sets[name] ?? [];
    expect(functions).toBe(tools.length);
    expect(calls.map(([called]) => called).sort()).toEqual(tools.map((each) => each.name).sort());
  });

  it('pass the compiler of TypeScript with their examples', () => {
    const files = [...roots].flatMap(([name, root]) =>
      [...generateSkills(bindTools(sets[name] ?? [])).keys()]
        .filter((path) => path.endsWith('_example.mjs') || path.endsWith('.d.mts'))
        .map((path) => join(root, path)),
    );
    const bad = join(folder, 'memory', 'bad.mts');
    writeFileSync(
      bad,
      "import { tools } from './lib/tools.mjs';\nawait tools.memory.create_entities({ entities: [{ name: 1 }] });\n(await tools.memory.read_graph()).entities[0]?.nothing;\n",
    );
    const globals = join(folder, 'globals.d.ts');
    writeFileSync(globals, 'declare const console: { log(value: unknown): void };\n');
    const errors = compileErrors([globals, ...files, bad]);
    expect(errors.filter((each) => !each.startsWith(bad))).toEqual([]);
    // The compiler reports what the schemas forbid.
    expect(errors).toHaveLength(2);
  });

  it.each(Object.keys(sets))('of %s are valid by the standard', (name) => {
    const files = generateSkills(bindTools(sets[name] ?? []));
    const skills = [...files].filter(([path]) => path.endsWith('SKILL.md'));
    expect(skills.length).toBeGreaterThan(0);
    for (const [path, text] of skills) expect(validateSkill(basename(dirname(path)), text)).toEqual([]);
    expect([...files.keys()].every((path) => /^[a-z0-9-]+\/(scripts\/)?[\w.]+$/.test(path))).toBe(true);
  });

  it('keep texts of servers inside of comments and quoted strings (T10)', () => {
    const files = generateSkills(bindTools(hostile));
    const skill = files.get('bad-server/SKILL.md') ?? '';
    expect(skill.split('\n').filter((line) => line.startsWith('```'))).toEqual(['```ts', '```']);
    expect(files.get('lib/tools.py')).not.toMatch(/^\s*import os/m);
  });

  it('write types of Python for unions, enums, references and optional members', () => {
    const text = generateSkills(bindTools([tool('bad-server__str'), tool('bad-server__union')])).get(
      'lib/tools.py',
    );
    expect(text).toContain('"next": "_NotRequired[_t.Optional[BadServerStrResultXYNode]]"');
    expect(text).toContain('BadServerStrResult = _t.TypedDict("BadServerStrResult", {');
    expect(text).toContain('w: "_t.Union[str, _t.List[_t.Optional[int]]]"');
    expect(text).toContain('x: "_t.Literal[-3]"');
    const graph = generateSkills(bindTools(sets.memory ?? [])).get('lib/tools.py');
    expect(graph).toContain('def read_graph() -> "MemoryReadGraphResult":');
  });
});
