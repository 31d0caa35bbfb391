import { describe, expect, it } from 'vitest';
import { readServerSettings } from './mcp-settings.ts';

const entry = { command: 'npx', args: ['-y', '@scope/server-memory'] };
const names = (text: string) => readServerSettings(text)?.servers.map(({ name }) => name);

describe('MCP servers in settings', () => {
  it.each([
    ['settings of Claude', { mcpServers: { memory: entry } }],
    ['settings of VS Code', { servers: { memory: { type: 'stdio', ...entry } }, inputs: [] }],
    ['entries alone', { memory: entry }],
  ])('are found in %s', (_, json) => {
    expect(names(JSON.stringify(json))).toEqual(['memory']);
  });

  it('are found in a part of such a file, with comments and trailing commas', () => {
    const text = `// add this\n"Some Server": { "url": "https://example.com//mcp", },`;
    const found = readServerSettings(text);
    expect(found?.servers).toEqual([
      { name: 'some-server', entry: { url: 'https://example.com//mcp' }, secrets: {} },
    ]);
  });

  it('without a name are called after their package or address', () => {
    expect(names(JSON.stringify(entry))).toEqual(['server-memory']);
    expect(names('{"url":"https://mcp.example.com/mcp"}')).toEqual(['mcp-example-com']);
  });

  it('give values to the vault, but no references to variables', () => {
    const env = { TOKEN: 'abc', HOME: `\${HOME}`, EMPTY: '' };
    const found = readServerSettings(JSON.stringify({ mcpServers: { a: { ...entry, env } } }));
    expect(found?.servers[0]?.secrets).toEqual({ TOKEN: 'abc' });
  });

  it('of kinds that Kennel cannot use are counted', () => {
    const text = JSON.stringify({
      mcpServers: { old: { type: 'sse', url: 'https://a' }, odd: 3, '§': entry },
    });
    expect(readServerSettings(text)).toEqual({ servers: [], skipped: 3 });
  });

  it('are not looked for in other texts', () => {
    expect([readServerSettings('npx -y server'), readServerSettings('[1]')]).toEqual([null, null]);
    expect(readServerSettings('{"theme":"dark"}')).toEqual({ servers: [], skipped: 0 });
  });
});
