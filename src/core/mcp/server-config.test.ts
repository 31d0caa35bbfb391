import { describe, expect, it } from 'vitest';
import { mcpServerConfigSchema } from './server-config.ts';

const parse = (entry: unknown) => mcpServerConfigSchema.safeParse(entry).data;

describe('Configuration of an MCP server', () => {
  it('reads a program with and without a type', () => {
    const full = { type: 'stdio', command: 'node', args: ['a.js'], env: { A: '1' } };
    expect(parse(full)).toEqual(full);
    expect(parse({ command: 'node' })).toEqual({ type: 'stdio', command: 'node', args: [], env: {} });
  });

  it.each(['http', 'streamable-http', 'streamableHttp', 'streamable_http', undefined])(
    'reads an address of the type %s',
    (type) => {
      const read = parse({ type, url: 'https://example.com/mcp' });
      expect(read).toEqual({ type: 'http', url: 'https://example.com/mcp', headers: {} });
    },
  );

  it('reads the filter of its tools, also as a list and as Codex writes it', () => {
    const filterOf = (entry: object) => parse({ command: 'node', ...entry })?.tool_filter;
    expect(filterOf({ tool_filter: ['a'] })).toEqual({ allow: ['a'], deny: [] });
    expect(filterOf({ tool_filter: { deny: ['b'] } })).toEqual({ deny: ['b'] });
    expect(filterOf({ enabled_tools: ['a'], disabled_tools: ['b'] })).toEqual({ allow: ['a'], deny: ['b'] });
    expect(filterOf({ enabled_tools: ['a'] })).toEqual({ allow: ['a'], deny: [] });
    expect(filterOf({})).toBeUndefined();
  });

  it('ignores fields of other clients', () => {
    expect(parse({ command: 'a', disabled: true, autoApprove: ['x'] })).not.toHaveProperty('autoApprove');
  });

  it.each([
    [{ type: 'sse', url: 'https://example.com' }],
    [{ url: 'file:///etc/passwd' }],
    [{ url: 'javascript:alert(1)' }],
    [{ url: 'https://user:secret@example.com/' }],
    [{ url: 'nowhere' }],
    [{ command: '' }],
    [{ command: 'a', args: 'b' }],
    [{}],
    [null],
    [[]],
    ['node'],
  ])('refuses %j', (entry) => {
    expect(mcpServerConfigSchema.safeParse(entry).success).toBe(false);
  });
});
