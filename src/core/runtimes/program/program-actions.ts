/** Assessments of actions that only an agent program has: it fetches pages, searches the web, starts sub-agents. */
import { say } from '../../../language/say.ts';
import type { Assessment } from '../../policy/assessment.ts';
import type { Tool } from '../../tools/tool.ts';

type Args = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A tool whose calls the program carries out itself once they are allowed. */
export function assessedTool(
  name: string,
  facts: Pick<Tool, 'group' | 'foreign' | 'reveals'>,
  assess: Tool['assess'],
): Tool {
  return {
    name,
    core: true,
    description: '',
    parameters: { type: 'object' },
    replay: 'never',
    ...facts,
    assess,
    execute: async () => {
      throw new Error(`The host does not run ${name} itself.`);
    },
  };
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '*';
  }
}

const network = (host: string, what: string, body: string): Assessment => ({
  risk: 'medium',
  effects: [{ kind: 'network', host }],
  preview: { kind: 'text', title: say('actions.useToolOn', { tool: 'web', what }), body, where: host },
});

export const programActions: readonly Tool[] = [
  assessedTool('web_fetch', { group: 'core', foreign: true, reveals: [] }, ({ url, prompt }: Args) =>
    network(hostOf(text(url)), text(url), `${text(url)}\n\n${text(prompt)}`),
  ),
  assessedTool('web_search', { group: 'core', foreign: true, reveals: [] }, ({ query }: Args) =>
    network('*', text(query), text(query)),
  ),
  // A sub-agent has no effect of its own: each of its calls asks like a call of the agent.
  assessedTool(
    'sub_agent',
    { group: 'core', foreign: true, reveals: [] },
    ({ description, prompt }: Args): Assessment => ({
      risk: 'low',
      effects: [],
      preview: {
        kind: 'text',
        title: say('actions.useToolOn', { tool: 'sub_agent', what: text(description).slice(0, 120) }),
        body: text(prompt),
        where: '',
      },
    }),
  ),
];
