import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { readCodexSettings } from './codex-settings.ts';
import { readServerSettings } from './mcp-settings.ts';

const settings = `
model = "x"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs # not a comment"]
enabled_tools = ["search"]
disabled_tools = ["write"]
[mcp_servers.docs.env]
KEY = "secret"
[mcp_servers.web]
url = "https://mcp.example/mcp"
bearer_token_env_var = "WEB_TOKEN"
[mcp_servers.web.http_headers]
"X-Region" = "eu"
[mcp_servers.off]
command = "x"
enabled = false
`;

it('The settings of Codex become entries of servers, with headers', () => {
  const json = readCodexSettings(settings, parse);
  const found = readServerSettings(json ?? '')?.servers ?? [];
  expect(found.map(({ name, secrets }) => [name, secrets])).toEqual([
    ['docs', { KEY: 'secret' }],
    ['web', { 'X-Region': 'eu' }],
  ]);
  expect(found.map(({ entry }) => entry)).toMatchObject([
    {
      command: 'npx',
      args: ['-y', 'docs # not a comment'],
      enabled_tools: ['search'],
      disabled_tools: ['write'],
    },
    { url: 'https://mcp.example/mcp', headers: { 'X-Region': 'eu' } },
  ]);
  expect(readCodexSettings('[broken', parse)).toBeNull();
});
