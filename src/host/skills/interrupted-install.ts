/**
 * Mends a place of skills after a crash in the middle of an update: the old folder was moved into the temporary one, and the
 * new folder was not moved out yet. The old one counts again.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { skillName } from '../../core/agents/skills.ts';
import { entriesOf } from '../../services/tools/skills/skill-folder.ts';

export const buildPrefix = '.new-';
export const replacedName = 'old';

const temporary = new RegExp(`^\\${buildPrefix}[A-Za-z0-9]{6}$`);

export function restoreInterrupted(place: string): void {
  for (const { name: folder } of entriesOf(place).filter(({ name }) => temporary.test(name))) {
    const built = join(place, folder);
    const names = entriesOf(built).map(({ name }) => name);
    const [name = '', ...more] = names.filter((each) => each !== replacedName);
    if (!names.includes(replacedName) || more.length > 0 || !skillName.test(name)) continue;
    try {
      if (existsSync(join(place, name))) continue;
      renameSync(join(built, replacedName), join(place, name));
      rmSync(built, { recursive: true, force: true });
    } catch {
      // The next look tries it again.
    }
  }
}
