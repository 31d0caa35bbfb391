import type { AppError } from '../../contract/errors.ts';
import { StateDot } from '../mark/dot.tsx';
import { ErrorNote } from './notes.tsx';

interface CheckAgainProps {
  readonly label: string;
  readonly action: { readonly busy: boolean; readonly error: AppError | null };
  readonly small?: boolean;
  /** Result of the check, or `null` before the first one. */
  readonly found: { readonly ok: boolean; readonly words: string } | null;
  onCheck(): void;
}

/** Asks the host to verify something it signed or wrote earlier and shows the result. */
export function CheckAgain({ label, action, small = false, found, onCheck }: CheckAgainProps) {
  return (
    <>
      <div>
        <button
          type="button"
          className={small ? 'button is-small' : 'button'}
          disabled={action.busy}
          onClick={onCheck}
        >
          {label}
        </button>
      </div>
      <ErrorNote error={action.error} />
      {found !== null && (
        <p role="status" className="verified">
          <StateDot state={found.ok ? 'idle' : 'error'} label="" />
          {found.words}
        </p>
      )}
    </>
  );
}
