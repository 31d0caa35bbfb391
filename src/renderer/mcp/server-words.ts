/** Words and dots for the states of MCP servers. */
import type { McpServerView } from '../../contract/mcp-server-methods.ts';
import type { Dot } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';

export const serverRef = ({ name, agent }: Pick<McpServerView, 'name' | 'agent'>) => ({
  name,
  ...(agent === null ? {} : { agent }),
});

const dots: Readonly<Record<McpServerView['state'], Dot>> = {
  unaccepted: 'needs_you',
  refused: 'offline',
  stopped: 'offline',
  starting: 'working',
  running: 'idle',
  waiting: 'error',
  failed: 'error',
};

export const serverDot = ({ state, changed, authorizePage }: McpServerView): Dot =>
  state !== 'unaccepted' && (changed > 0 || authorizePage !== null) ? 'needs_you' : dots[state];

export const serverState = ({ state }: McpServerView): string => t(`mcp.state_${state}`);

export const toolCount = ({ tools }: McpServerView): string =>
  tools === null ? t('mcp.toolsUnknown') : t('mcp.tools', { count: tools });

export const isAllowed = ({ state }: McpServerView): boolean => state !== 'unaccepted' && state !== 'refused';
