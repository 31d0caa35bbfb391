/**
 * Refusals of a command before anything starts: a closed list of reasons for programs, a sentence for the
 * model.
 */
import { err } from '../../../contract/result.ts';

/** The reasons of spec §5.1.10, then Kennel's own. */
export type BlockReason =
  | 'missing_cmd'
  | 'command_too_long'
  | 'blocked_shell_operator'
  | 'invalid_shell_syntax'
  | 'invalid_cwd'
  | 'cwd_outside_allowed_roots'
  | 'command_not_allowed'
  | 'find_option_not_allowed'
  | 'rg_option_not_allowed'
  | 'git_option_not_allowed'
  | 'destination_option_not_allowed'
  | 'git_subcommand_missing'
  | 'git_subcommand_not_allowed'
  | 'path_outside_allowed_roots'
  | 'path_outside_writable_roots'
  | 'write_target_is_root_blocked'
  | 'approval_required_or_denied'
  | 'command_not_available_on_host'
  | 'option_not_allowed'
  | 'operands_missing'
  | 'path_not_usable'
  | 'protected_path'
  | 'git_repository_not_allowed'
  | 'changed_since_approval';

export interface CommandRefusal {
  readonly reason: BlockReason;
  /** Includes an alternative if one exists. */
  readonly message: string;
}

export const refuseCommand = (reason: BlockReason, message: string): ReturnType<typeof err<CommandRefusal>> =>
  err({ reason, message });
