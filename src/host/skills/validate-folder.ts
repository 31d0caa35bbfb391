/** Checks a folder by the AgentSkills standard; needs no host. */
import { basename } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { adviseSkill, validateSkill } from '../../core/agents/skill-file.ts';
import type { HostText } from '../../language/host-message.ts';
import { decodeFileText } from '../../services/tools/files/file-text.ts';
import { readSkillFolder, skillFileName } from '../../services/tools/skills/skill-folder.ts';

interface Validation {
  readonly name: string;
  readonly faults: readonly HostText[];
  readonly advice: readonly HostText[];
}

/** `folder`: absolute path of a skill. */
export function validateFolder(folder: string): Result<Validation> {
  const name = basename(folder);
  const files = readSkillFolder(folder, name);
  if (!files.ok) return files;
  const text = decodeFileText(files.value.get(skillFileName) ?? new Uint8Array());
  if (text === null) return err(fail('unsupported', 'tools.skillNotText', { name }));
  return ok({ name, faults: validateSkill(name, text), advice: adviseSkill(text) });
}
