import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import { type DraftJournal, draftText, readEnrolmentDraft } from '../../services/puffo/registration-draft.ts';
import type { Layout } from '../layout.ts';
import type { OpenParts } from './operator.ts';
import { sealedFile } from './sealed-file.ts';

/** Keeps an agent's new keys, sealed, until the server knows them. */
export function agentJournal(
  { disk, layout }: { readonly disk: DiskPort; readonly layout: Pick<Layout, 'agentDraft'> },
  { keys }: Pick<OpenParts, 'keys'>,
  agentId: string,
): DraftJournal {
  const file = sealedFile(disk, keys, layout.agentDraft(agentId), `identity/registration/${agentId}`);
  return {
    read() {
      const text = file.read();
      if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
      const draft = readEnrolmentDraft(text.value);
      return draft ? ok(draft) : err(fail('corrupt', 'identity.registrationKeysDamaged'));
    },
    write: (draft) => file.write(draftText(draft)),
  };
}
