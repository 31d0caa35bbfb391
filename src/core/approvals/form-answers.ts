/**
 * Values that the operator enters into a question's form. They are checked before the answer counts, handed to the
 * asker once, and never stored: they may be private.
 */
import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { FormCheck } from './approval-centre-ports.ts';

export class FormAnswers {
  readonly #checks = new Map<string, FormCheck>();
  readonly #values = new Map<string, unknown>();

  /** `id`: of the approval. */
  expect(id: string, check: FormCheck | undefined): void {
    if (check) this.#checks.set(id, check);
  }

  /** `allow` for values that fit, otherwise the answer itself. */
  read({ id, form }: Pick<Approval, 'id' | 'form'>, answer: ApprovalAnswer): Result<ApprovalAnswer> {
    if (form === undefined || (answer.type !== 'respond' && answer.type !== 'allow')) return ok(answer);
    const check = this.#checks.get(id);
    if (!check) return err(fail('unavailable', 'approvals.formEnded'));
    const checked = check(answer.type === 'respond' ? answer.response : JSON.parse(form.defaultsJson));
    if (!checked.ok) return checked;
    this.#values.set(id, checked.value);
    return ok({ type: 'allow', scope: 'once' });
  }

  /** Forgets the question, and returns its values if it was answered. */
  take(id: string): { readonly response?: unknown } {
    const taken = this.#values.has(id) ? { response: this.#values.get(id) } : {};
    this.#values.delete(id);
    this.#checks.delete(id);
    return taken;
  }
}
