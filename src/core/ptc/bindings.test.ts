import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { bindTools } from './binding-names.ts';
import { describeTool, listTools, searchTools } from './discover-tools.ts';
import { typeOfSchema } from './schema-types.ts';
import { typescriptBindings } from './typescript-bindings.ts';

const tool = (name: string, parameters = {}, description = 'Does it.') => ({ name, description, parameters });

function syntaxErrors(text: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: 'tools.ts' });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('types of schemas', () => {
  it('covers unions, enums, null, references, tuples, records and optional members', () => {
    expect(typeOfSchema({ type: ['string', 'null'] })).toBe('string | null');
    expect(typeOfSchema({ type: 'string', nullable: true })).toBe('string | null');
    expect(typeOfSchema({ enum: ['a"b', 1, null, true] })).toBe('"a\\"b" | 1 | null | true');
    expect(typeOfSchema({ anyOf: [{ type: 'integer' }, { const: 'x' }] })).toBe('number | "x"');
    expect(typeOfSchema({ type: 'array', items: { type: 'string' } })).toBe('Array<string>');
    expect(typeOfSchema({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] })).toBe(
      '[string, number]',
    );
    expect(typeOfSchema({ type: 'object', additionalProperties: { type: 'number' } })).toBe(
      'Record<string, number>',
    );
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] };
    expect(typeOfSchema({ $ref: '#/$defs/node', $defs: { node } })).toBe('{ next: unknown }');
    expect(
      typeOfSchema({ type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] }),
    ).toBe('{ a: string; "b-c"?: unknown }');
    expect(typeOfSchema({ $ref: 'https://example.com/x' })).toBe('unknown');
  });

  it('stays small for a schema whose references multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => {
        const $ref = `#/$defs/d${i + 1}`;
        return [`d${i}`, { type: 'object', properties: { a: { $ref }, b: { $ref }, c: { $ref } } }];
      }),
    );
    expect(typeOfSchema({ $ref: '#/$defs/d0', $defs }).length).toBeLessThan(200_000);
  });
});

describe('names of tools in code', () => {
  it('are identifiers, grouped by server, without collisions or hidden functions', () => {
    const names = [
      'get-sum',
      'get_sum',
      'web__get.page',
      'web__class',
      'web',
      'search',
      '1st',
      'from',
      'ä',
      '__proto__',
      'then',
    ];
    const bound = bindTools(names.map((name) => tool(name)));
    expect(listTools(bound)).toEqual([
      'get_sum',
      'get_sum_2',
      'web.get_page',
      'web.class_',
      'web_2',
      'search_',
      '_1st',
      'from_',
      '_',
      '_proto__',
      'then_',
    ]);
    expect(bound.filter(({ isRenamed }) => isRenamed).map(({ tool: { name } }) => name)).toEqual([
      'get_sum',
      'web',
    ]);
  });
});

describe('declarations', () => {
  const hostile = [
    tool('a-b', { type: 'object', properties: { 'x"y': { type: 'string', description: '*/ evil(); /*' } } }),
    tool(
      's__t',
      { type: 'object', properties: { class: { enum: ["'", '`${x}`', '\n'] } }, required: ['class'] },
      '*/\n}\nevil();',
    ),
    tool('s__t', {}, 'The same name once more.'),
    tool(
      'q',
      { type: 'object', properties: { __proto__x: { type: ['string', 'null'] }, '': { type: 'bad' } } },
      '"""\\',
    ),
  ];

  it('are valid TypeScript for hostile names, descriptions and values', () => {
    const text = typescriptBindings(bindTools(hostile));
    expect(syntaxErrors(text)).toEqual([]);
    expect(text).toContain('t_2(args?: unknown): Promise<unknown>;');
    expect(text).toContain('Tool: a-b.');
    const file = ts.createSourceFile('tools.ts', text, ts.ScriptTarget.Latest);
    expect(
      file.statements.every((each) =>
        [
          ts.isClassDeclaration,
          ts.isInterfaceDeclaration,
          ts.isVariableStatement,
          ts.isFunctionDeclaration,
        ].some((is) => is(each)),
      ),
    ).toBe(true);
    expect(syntaxErrors('declare const x: { a: ')).not.toEqual([]);
  });

  it('are found, described and suggested', () => {
    const bound = bindTools([
      tool(
        'read_file',
        { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        'Reads a file.',
      ),
      tool('web__get', {}, 'Loads a page from a file server.'),
    ]);
    expect(searchTools(bound, 'file').map(({ name }) => name)).toEqual(['read_file', 'web.get']);
    expect(searchTools(bound, 'nothing of this')).toEqual([]);
    expect(describeTool(bound, 'tools.read_file')).toBe(
      '/** Reads a file. */\ntools.read_file(args: { path: string }): Promise<unknown>',
    );
    expect(describeTool(bound, 'web__get')).toContain('tools.web.get(args?');
    expect(describeTool(bound, 'read_fil')).toContain('Did you mean read_file?');
  });
});
