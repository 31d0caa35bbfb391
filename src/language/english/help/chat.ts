import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const chat = {
  'chat send': {
    summary: 'Send a message, files, or both',
    options: {
      '--to': 'agent, handle, name, #channel, Space/#channel or room id',
      '--thread': 'answer in the thread of this message',
      '--attach': 'a file of at most 8 MiB, up to 10',
      '--wait': 'wait for an answer and print it',
      '--text': 'send a text that starts with / although it is not a command',
    },
    examples: ['Ask an agent and print its answer', 'Write in a channel', 'Send a file'],
  },
  'chat read': {
    summary: 'Print messages of a room, or list the rooms',
    options: {
      '--limit': 'how many messages',
      '--before': 'older than this message',
      '--ids': 'print the id of each message',
      '--server': 'print what the server sees instead',
    },
    examples: [
      'List all rooms',
      'Print the last ten messages of a channel',
      'Print what the server sees of a conversation',
    ],
  },
  'chat retry': {
    summary: 'Send a failed message again',
    examples: ['Send a failed message again', sharedExamples.findMessage, 'Send it again in a script'],
  },
  'chat new': {
    summary: 'Start a conversation with an agent or a person, without the earlier messages',
    options: {
      '--title': 'its title; else its first message',
    },
    examples: ['Start a conversation', 'Give it a title', 'Print its id for a script'],
  },
  'chat conversations': {
    summary: 'List the conversations with an agent or a person',
    examples: ['List them with their ids', 'Print the messages of one', sharedExamples.themAsJson],
  },
  'chat rename': {
    summary: 'Rename a conversation on this computer',
    examples: ['Rename a conversation', 'Rename the main conversation', sharedExamples.findConversation],
  },
  'chat archive': {
    summary: 'Hide a conversation until a message arrives in it',
    examples: ['Archive it', 'List it again', sharedExamples.findConversation],
  },
  'chat unarchive': {
    summary: 'List an archived conversation again',
    examples: ['List it again', 'Archive it', sharedExamples.findConversation],
  },
  'chat remove': {
    summary: 'Delete your copy of a conversation on this computer; the agent keeps theirs',
    examples: ['Delete a conversation here', 'Delete it without a question', sharedExamples.findConversation],
  },
  'chat react': {
    summary: 'React to a message, only on this computer',
    options: {
      '--remove': 'remove the reaction',
    },
    examples: ['React to a message', 'Remove the reaction', sharedExamples.findMessage],
  },
  'chat pin': {
    summary: 'Pin a message to its room, only on this computer',
    options: {
      '--remove': 'unpin it',
    },
    examples: ['Pin a message', 'Unpin it', 'List the pinned messages of a room'],
  },
  'chat pins': {
    summary: 'List the pinned messages of a room',
    examples: ['List those of a channel', 'Those of a conversation with an agent', sharedExamples.themAsJson],
  },
  'chat delete': {
    summary: 'Delete your copy of a message on this computer; everyone else keeps theirs',
    examples: ['Delete a message here', sharedExamples.findMessage, 'Delete it without a question'],
  },
  'chat mute': {
    summary: 'Mute a room or a thread',
    options: {
      '--thread': 'only the thread of this message',
      '--for': 'such as 30m, 8h or 2d; else until you unmute it',
      '--no-mentions': 'mute mentions of you too',
    },
    examples: ['Mute a channel for 8 hours', 'Mute direct messages until you unmute them', 'Mute one thread'],
  },
  'chat unmute': {
    summary: 'Unmute a room or a thread',
    options: {
      '--thread': 'only the thread of this message',
    },
    examples: ['Unmute a channel', 'Unmute direct messages', 'Unmute one thread'],
  },
  'files get': {
    summary: 'Save the files of a message; nothing is overwritten',
    options: {
      '--out': 'a folder, or the name for one file',
    },
    examples: [
      'Save all files of a message here',
      'Save its second file under another name',
      'Save all files in a folder',
    ],
  },
  search: {
    summary: 'Search your messages or those of an agent, newest first',
    options: {
      '--in': 'only this room: id, #channel or name',
      '--agent': 'messages that this agent received',
      '--from': 'sent by this person or agent; "me" is you',
      '--since': 'sent on this day or later, as 2026-11-01 (UTC)',
      '--until': 'sent before this day (UTC)',
      '--has-file': 'only messages with files',
      '--before': 'older than this message',
      '--limit': 'how many, at most 200',
    },
    examples: [
      'Find messages with both words',
      'Find a phrase in a channel',
      'Find beginnings of words in messages to an agent',
    ],
  },
  why: {
    summary: 'Explain for each agent why it answered a message or not',
    examples: ['Explain the reactions to a message', sharedExamples.findMessage, 'Print the reasons as JSON'],
  },
  missed: {
    summary: 'List messages to your agents without an answer, each with the reason',
    options: {
      '--days': 'how far back',
    },
    examples: [
      'List unanswered messages of the last week',
      'Only those to one agent',
      'Print those of 30 days as JSON',
    ],
  },
} as const satisfies HelpPart;
