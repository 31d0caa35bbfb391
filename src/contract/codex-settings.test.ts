import { expect, it } from 'vitest';
import { mcpServerConfigSchema } from '../core/mcp/server-config.ts';
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

it('The settings of Codex become entries of servers, with filters and headers', async () => {
  const json = await readCodexSettings(settings);
  const found = readServerSettings(json ?? '')?.servers ?? [];
  expect(found.map(({ name, secrets }) => [name, secrets])).toEqual([
    ['docs', { KEY: 'secret' }],
    ['web', { 'X-Region': 'eu' }],
  ]);
  expect(found.map(({ entry }) => mcpServerConfigSchema.parse(entry))).toMatchObject([
    {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'docs # not a comment'],
      tool_filter: { allow: ['search'], deny: ['write'] },
    },
    { type: 'http', url: 'https://mcp.example/mcp' },
  ]);
  expect(await readCodexSettings('[broken')).toBeNull();
});
