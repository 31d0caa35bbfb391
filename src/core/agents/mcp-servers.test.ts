import { describe, expect, it } from 'vitest';
import { commandLineOf, hasServer, looksLikeHost, readMcpFile, withServer } from './mcp-servers.ts';

const entry = { command: 'npx', args: ['-y', 'x'], env: { KEY: 'secret' } };

describe('.mcp.json', () => {
  it('changes one entry and keeps the rest', () => {
    const text = JSON.stringify({ other: 1, mcpServers: { a: { url: 'https://x' }, b: { command: 'b' } } });
    const file = readMcpFile(text);
    if (!file.ok) throw new Error(file.error.message);
    expect(JSON.parse(withServer(file.value, 'c', entry))).toEqual({
      ...JSON.parse(text),
      mcpServers: { a: { url: 'https://x' }, b: { command: 'b' }, c: entry },
    });
    expect(JSON.parse(withServer(file.value, 'b', null)).mcpServers).toEqual({ a: { url: 'https://x' } });
    expect([hasServer(file.value, 'a'), hasServer(file.value, 'constructor')]).toEqual([true, false]);
  });

  it('starts empty if missing, and is reported as corrupt if unreadable', () => {
    expect(readMcpFile(null)).toEqual({ ok: true, value: { mcpServers: {} } });
    expect(readMcpFile('{"mcpServers": [1]}')).toMatchObject({ error: { code: 'corrupt' } });
    expect(readMcpFile('{')).toMatchObject({ error: { code: 'corrupt' } });
  });

  it('shows the command line of a server without its environment secrets', () => {
    expect(commandLineOf(entry)).toBe('npx -y x');
    expect(commandLineOf({ url: 'https://x' })).toBe('another kind of server');
  });
});

describe('Detection of host-only commands', () => {
  it.each([
    ['/Users/me/bin/x', []],
    ['node', ['/home/me/server.js']],
    ['~/x', []],
    ['$HOME/x', []],
    ['C:\\x.exe', []],
    ['\\\\nas\\x.exe', []],
    ['/opt/homebrew/bin/x', []],
    ['x', ['--config=/home/me/c.json']],
    ['a\\b', []],
  ])('detects %s %j', (command, args) => expect(looksLikeHost({ command, args })).toBe(true));
  it.each([
    ['npx', ['-y', '@scope/server']],
    ['/usr/bin/python3', ['server.py']],
    ['/workspace/x', []],
    ['node', ['/home/agent/x.js']],
    ['uvx', ['--from', 'git+https://example.org/home/x']],
  ])('does not flag %s %j', (command, args) => expect(looksLikeHost({ command, args })).toBe(false));
});
