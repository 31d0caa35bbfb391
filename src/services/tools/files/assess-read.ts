/** Reads below the roots are low risk; elsewhere the tool itself refuses. */

import type { Assessment } from '../../../core/policy/assessment.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { blockedBy } from '../../../core/tools/output.ts';
import { say } from '../../../language/say.ts';
import { plainName, shownPath } from './shown-path.ts';

type ReadTitle = 'actions.listFolder' | 'actions.readFile' | 'actions.searchFiles';

export function assessRead(files: ConfinedFiles, path: string, title: ReadTitle): Assessment {
  const real = files.resolve(path, 'read');
  const shown = real.ok ? shownPath(files, real.value) : plainName(path);
  const preview = {
    kind: 'text',
    title: say(title, { path: shown }),
    body: shown,
    where: files.roots.cwd,
  } as const;
  if (!real.ok) return blockedBy(real.error, preview);
  return { risk: 'low', effects: [{ kind: 'read', path: real.value }], preview };
}
