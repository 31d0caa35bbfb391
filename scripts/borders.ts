/** Checks import borders; a run that checked no file fails, because it proves nothing. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult, type IViolation } from 'dependency-cruiser';

const root = path.resolve(import.meta.dirname, '..');
const rules = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs'));

export interface BorderReport {
  readonly modules: number;
  readonly violations: readonly IViolation[];
}

/** Checks `src` below `folder`: the project itself, or the folder of a test. */
export async function checkBorders(folder: string = root): Promise<BorderReport> {
  const options: ICruiseOptions = {
    ...rules.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  };
  const { output } = await cruise(['src'], options);
  const result = output as ICruiseResult;
  return {
    modules: result.modules.filter((module) => module.source.startsWith('src/')).length,
    violations: result.summary.violations,
  };
}

if (import.meta.main) {
  const { modules, violations } = await checkBorders();
  for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} -> ${to}`);
  console.log(`${modules} modules, ${violations.length} violations`);
  if (modules === 0) console.error('Nothing was looked at: the check itself is broken.');
  process.exitCode = modules === 0 || violations.length > 0 ? 1 : 0;
}
