import type { HostSentences } from '../../host-sentences.ts';

/** Attachments, archives, bundles and backups. */
export const movingSentences: HostSentences = {
  'becomes you': 'wirst du',
  'stays there: this folder has its operator already': 'bleibt dort: Dieser Ordner gehört schon jemandem',
  'stays there: no agent here goes by this name': 'bleibt dort: Kein Agent hier heißt so',
  'stays there: agent {id} has its keys': 'bleibt dort: Agent {id} hat seine Schlüssel',
  'goes to agent {id}': 'geht an Agent {id}',
  '{slug}: {=use}.': '{slug}: {use}.',
  '{slug} was not taken over: {~why}': '{slug} wurde nicht übernommen: {why}',
  'It comes without keys.': 'Er kommt ohne Schlüssel.',
  'Its keys are of another identity.': 'Seine Schlüssel gehören zu einer anderen Identität.',
  'Its keys came along: stop it wherever else it runs, or both would answer in one name.':
    'Seine Schlüssel sind mitgekommen: Halte ihn überall sonst an, sonst antworten beide in einem Namen.',
  'It has a new identity, which yours vouches for.': 'Er hat eine neue Identität, für die deine bürgt.',
};
