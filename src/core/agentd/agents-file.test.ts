import { describe, expect, it } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { readAgentsFile } from './agents-file.ts';

const reference = `agents:
- name: news_agent
  model: gpt-4o
  system_prompt: You are a news agent.
  mcp_servers:
  - type: stdio
    command: uvx
    arguments: [mcp-subscribe, --poll-interval, '5', --, uvx, mcp-server-fetch]
    env_vars: ['TOKEN=\${NEWS_TOKEN}', 'A=b=c']
    tool_filter: [fetch]
  subscriptions:
  - tool://fetch/?url=https://example.com/news
`;

function read(text: string, env: Record<string, string> = { NEWS_TOKEN: 'secret' }) {
  const result = readAgentsFile(text, env);
  if (!result.ok) throw new Error(`${englishText(result.error.message)} (${result.error.where})`);
  return result.value;
}

function failure(text: string): string {
  const result = readAgentsFile(text, {});
  return result.ok ? 'accepted' : `${englishText(result.error.message)} (${result.error.where})`;
}

describe('File of agents', () => {
  it('reads the keys of the reference as they are', () => {
    expect(read(reference)).toEqual([
      {
        name: 'news_agent',
        model: 'gpt-4o',
        systemPrompt: 'You are a news agent.',
        servers: [
          {
            name: 'uvx',
            config: {
              type: 'stdio',
              command: 'uvx',
              args: ['mcp-subscribe', '--poll-interval', '5', '--', 'uvx', 'mcp-server-fetch'],
              env: { TOKEN: 'secret', A: 'b=c' },
            },
            toolFilter: ['fetch'],
            allow: [],
            deny: [],
          },
        ],
        subscriptions: ['tool://fetch/?url=https://example.com/news'],
        onUpdate: null,
      },
    ]);
  });

  it('names servers like the reference, and keeps names apart', () => {
    const [agent] = read(`agents:
- name: a
  model: gpt-4o
  mcp_servers:
  - {command: npx, arguments: ['-y', '@modelcontextprotocol/server-everything']}
  - {command: npx, arguments: ['-y', '@modelcontextprotocol/server-everything@1.2.3']}
  - {name: web, url: 'https://example.com/mcp', headers: {Authorization: 'Bearer \${T:-none}'}, allow: ['get*'], deny: [put]}
`);
    expect(agent?.servers.map(({ name }) => name)).toEqual(['everything', 'everything_2', 'web']);
    expect(agent?.servers[2]).toMatchObject({
      config: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer none' } },
      toolFilter: null,
      allow: ['get*'],
      deny: ['put'],
    });
  });

  it('keeps an escaped variable, and does not expand what a variable holds', () => {
    const text = 'agents:\n- {name: a, model: "${M}", system_prompt: "$${M} $5 ${lower:-x}"}\n';
    expect(read(text, { M: 'm-${M}' })).toMatchObject([{ model: 'm-${M}', systemPrompt: '${M} $5 x' }]);
  });

  it.each([
    ['a missing variable', reference, 'The variable NEWS_TOKEN is not set. (line 9)'],
    ['a misspelt key', 'agents:\n- name: a\n  model: m\n  sytem_prompt: x\n', /sytem_prompt.*line 2/],
    ['no agent', 'agents: []\n', /must name an agent.*line 1/],
    [
      'an address that is none',
      'agents:\n- name: a\n  model: m\n  subscriptions:\n  - news\n',
      /"news".*line 5/,
    ],
    [
      'an interval that is none',
      'agents:\n- name: a\n  model: m\n  subscriptions:\n  - tool://f/#poll=0\n',
      /poll=0.*line 5/,
    ],
    [
      'a subscription without a server',
      'agents:\n- name: a\n  model: m\n  subscriptions: ["docs://x"]\n',
      /has no MCP server.*line 4/,
    ],
    [
      'two agents of one name',
      'agents:\n- {name: a, model: m}\n- {name: a, model: m}\n',
      /Two agents.*line 3/,
    ],
    [
      'two servers of one name',
      'agents:\n- name: a\n  model: m\n  mcp_servers:\n  - {name: s, command: x}\n  - {name: s, command: y}\n',
      /Two servers.*line 6/,
    ],
    [
      'a server without a command',
      'agents:\n- name: a\n  model: m\n  mcp_servers:\n  - {type: stdio}\n',
      /either a command or a url.*line 5/,
    ],
    [
      'a variable of a server without a value',
      'agents:\n- name: a\n  model: m\n  mcp_servers:\n  - {command: x, env_vars: [KEY]}\n',
      /NAME=value.*line 5/,
    ],
  ])('reports %s with its line', (_what, text, expected) => {
    expect(failure(text)).toMatch(expected);
  });
});
