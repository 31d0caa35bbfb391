/** Words that the audit log stores, in the reader's language; the log itself stays as it was written. */
import { t } from '../../language/texts.ts';

const words = [
  'accepted',
  'agreed',
  'allow',
  'allowed',
  'blocked',
  'cancelled',
  'changed',
  'chat',
  'denied',
  'deny',
  'editor',
  'exact',
  'expired',
  'expiry',
  'forgotten',
  'host',
  'in_force',
  'incomplete',
  'keep',
  'notification',
  'once',
  'paired',
  'pattern',
  'restore',
  'session',
  'start',
  'stopped',
  'terminal',
  'tray',
  'unpaired',
  'window',
  'withdrawn',
] as const;

function auditWord(stored: string): string {
  const word = words.find((one) => one === stored);
  return word === undefined ? stored : t(`upkeep.auditWord_${word}`);
}

/** The words of an outcome or of the detail of a decision; names and anything unknown stay. */
export const auditText = (stored: string): string =>
  stored
    .replace(/_withdrawn$/, ' withdrawn')
    .split(' ')
    .map(auditWord)
    .join(' ');
