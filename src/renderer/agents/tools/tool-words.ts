import { t } from '../../../language/texts.ts';

const explained = [
  'bash_exec',
  'finish',
  'task_remember',
  'read_file',
  'write_file',
  'edit_file',
  'list_dir',
  'search_files',
  'shell',
  'remember',
  'memory_append',
  'memory_edit',
  'memory_forget',
  'memory_read',
  'memory_search',
  'send_message',
  'send_message_with_attachments',
  'upload_file',
  'fetch_channel_files',
  'whoami',
  'list_channels',
  'list_channel_members',
  'list_agents',
  'get_channel_history',
  'get_thread_history',
  'get_post',
  'get_post_segment',
  'get_user_info',
  'search_messages',
  'task_add',
  'task_list',
  'task_show',
  'list_skills',
  'read_skill',
  'install_skill',
  'uninstall_skill',
  'list_mcp_servers',
  'install_mcp_server',
  'uninstall_mcp_server',
  'reload_system_prompt',
  'refresh',
  'puppy_run',
  'puppy_resume',
  'llm_task',
  'code',
  'run_script',
  'sub_agent',
] as const;

/** The rest of a description tells the model how to use the tool. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

interface DescribedTool {
  readonly name: string;
  readonly description: string;
}

/** Explains a tool to the operator; a tool of an MCP server has only its description for models. */
export function toolWords({ name, description }: DescribedTool): string {
  const known = explained.find((one) => one === name);
  return known === undefined ? firstSentence(description) : t(`toolHelp.${known}`);
}
