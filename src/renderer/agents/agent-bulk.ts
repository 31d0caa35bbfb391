/** Actions on all selected agents of the list. */
import type { HostClient } from '../../contract/host-api.ts';
import type { AgentSummary } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import type { BulkAction } from '../lists/bulk.ts';

export const agentActions = (link: HostClient): readonly BulkAction<AgentSummary>[] => [
  {
    key: 'pause',
    icon: 'pause',
    label: t('agents.pause'),
    fits: ({ life }) => life !== 'paused',
    run: ({ id }) => link.call('agents.pause', { agent: id }),
    done: (n) => t('agents.pausedMany', { n }),
  },
  {
    key: 'resume',
    icon: 'play',
    label: t('agents.resume'),
    fits: ({ life }) => life === 'paused',
    run: ({ id }) => link.call('agents.resume', { agent: id }),
    done: (n) => t('agents.resumedMany', { n }),
  },
  {
    key: 'archive',
    icon: 'box',
    label: t('agents.archiveMany'),
    confirm: (n) => ({ title: t('agents.archiveManyTitle', { n }), text: t('agents.archiveManyText') }),
    fits: () => true,
    run: ({ id }) => link.call('agents.archive', { agent: id }),
    done: (n) => t('agents.archivedMany', { n }),
  },
];
