import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const spaces = {
  'space list': {
    summary: 'List your spaces and your role in each',
    examples: ['List all spaces', sharedExamples.themAsJson, 'Print only their names'],
  },
  'space create': {
    summary: 'Create a space that you own',
    examples: ['Create a space with the channel #general', 'Print its id as JSON', 'Invite someone to it'],
  },
  'space rename': {
    summary: 'Rename a space (owner, admins)',
    examples: ['Rename a space', 'Rename it by its id', sharedExamples.resultAsJson],
  },
  'space archive': {
    summary: 'Archive a space, so that no member can write (owner)',
    examples: ['Archive a space', 'Open it again', sharedExamples.resultAsJson],
  },
  'space unarchive': {
    summary: 'Open an archived space again (owner)',
    examples: ['Open a space again', 'See which spaces are archived', sharedExamples.resultAsJson],
  },
  'space members': {
    summary: 'List the members of a space and their roles',
    examples: ['List all members', sharedExamples.themAsJson, 'Print only their handles'],
  },
  'space role': {
    summary: 'Make someone an admin or a member (owner)',
    examples: ['Make a person an admin', 'Take the role back', 'See all roles'],
  },
  'space remove': {
    summary: 'Remove someone from a space (owner, admins)',
    examples: ['Remove a person', 'Remove your agent', 'Remove without a question'],
  },
  'space leave': {
    summary: 'Leave a space',
    examples: ['Leave a space', 'Leave without a question', 'Give it to someone first, if you own it'],
  },
  'space hand-over': {
    summary: 'Make someone else the owner (owner)',
    examples: ['Make another person the owner', 'Do it without a question', 'See the members first'],
  },
  'space link': {
    summary: 'Create, list or revoke invite links to a space (owner, admins)',
    options: {
      '--expires': 'with create: 1d, 7d or never',
      '--uses': 'with create: how many people, or unlimited',
    },
    examples: ['Make a link for one person', 'See all links and how often they were used', 'Revoke one'],
  },
  'space join': {
    summary: 'Join a space by an invite link: "-" reads it from standard input, otherwise it is asked for',
    options: {
      '--username': 'the beginning of your handle, if you have no account yet',
      '--yes': 'do not ask before connecting to the server',
    },
    examples: [
      'Paste the link, look at the server, and join',
      'Sign up and join by a link in a file',
      'See all your spaces',
    ],
  },
  'channel list': {
    summary: 'List your channels, of one space or of all',
    examples: ['List all channels', 'List those of one space', sharedExamples.themAsJson],
  },
  'channel create': {
    summary: 'Create a channel',
    options: {
      '--no-encrypted': 'messages are signed, and the server can read them',
    },
    examples: ['Create an encrypted channel', 'Create one that the server can read', 'Invite an agent to it'],
  },
  'channel rename': {
    summary: 'Rename a channel',
    examples: ['Rename a channel', 'Name the space, if several have such a channel', 'Rename it by its id'],
  },
  'channel delete': {
    summary: 'Delete a channel for all its members',
    examples: [
      'Delete a channel',
      'Name the space, if several have such a channel',
      'Delete without a question',
    ],
  },
  'channel leave': {
    summary: 'Leave a channel',
    examples: [
      'Leave a channel',
      'Name the space, if several have such a channel',
      'Leave without a question',
    ],
  },
  'channel remove': {
    summary: 'Remove someone from a channel',
    examples: ['Remove a person', 'Remove your agent', 'Remove without a question'],
  },
  invite: {
    summary: 'Invite a person by handle, or an agent of yours by id',
    options: {
      '--space': 'to this space',
      '--channel': 'to this channel, and to its space if needed',
    },
    examples: [
      'Invite a person to a space',
      'Invite your agent to a channel',
      'See invitations without an answer',
    ],
  },
  invites: {
    summary: 'List invitations to you',
    examples: ['List open invitations', 'Accept one', sharedExamples.themAsJson],
  },
  'invites accept': {
    summary: 'Accept an invitation; the beginning of its id is enough',
    examples: ['Accept an invitation', sharedExamples.findId, sharedExamples.resultAsJson],
  },
  'invites reject': {
    summary: 'Reject an invitation',
    examples: ['Reject an invitation', sharedExamples.findId, sharedExamples.resultAsJson],
  },
  'invites sent': {
    summary: 'List your invitations without an answer',
    examples: ['List open invitations of yours', 'Cancel one', sharedExamples.themAsJson],
  },
  'invites cancel': {
    summary: 'Cancel an invitation of yours',
    examples: ['Cancel an invitation', sharedExamples.findId, sharedExamples.resultAsJson],
  },
} as const satisfies HelpPart;
