import { addressOf } from './addresses.ts';
import { FilePage } from './file-page.tsx';
import { RunPage } from './run-page.tsx';

/** Page of one workflow file, `workflow:<file>`, or one run, `run:<id>`. */
export function WorkflowRoute({ place }: { place: string }) {
  const at = addressOf(place);
  return 'run' in at ? <RunPage id={at.run} /> : <FilePage path={at.file} />;
}
