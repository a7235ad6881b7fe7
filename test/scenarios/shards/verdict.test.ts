import { describe, expect, test } from 'vitest';
import {
  answeredTwice,
  type Edit,
  editedByTwo,
  holderChanges,
  neglected,
  unanswered,
  unfinished,
} from './verdict.ts';

const edits = (...own: readonly (readonly [copy: string, at: number])[]): readonly Edit[] =>
  own.map(([copy, at]) => ({ copy, at, channelId: 'c' }));
const login = { copy: 'a', shard: 3, outcome: 'ready', at: 3 };
const shardOf = () => 3;

describe('a board edited by two is', () => {
  test('one that two copies edit in turns', () => {
    expect(editedByTwo(edits(['a', 1], ['b', 2], ['a', 4]), [], shardOf)).toHaveLength(1);
    expect(editedByTwo(edits(['a', 1], ['b', 2], ['a', 4], ['b', 5]), [], shardOf)).toHaveLength(2);
  });

  test('not one that is handed over, or handed back to a copy that has logged in again', () => {
    expect(editedByTwo(edits(['a', 1], ['a', 2], ['b', 3], ['b', 4]), [], shardOf)).toEqual([]);
    expect(editedByTwo(edits(['a', 1], ['b', 2], ['a', 4], ['a', 5]), [login], shardOf)).toEqual([]);
  });

  test.each([
    ['another shard', { shard: 2 }],
    ['another copy', { copy: 'b' }],
    ['a login that was refused', { outcome: 'invalid-session' }],
    ['a login before', { at: 1 }],
  ])('even with %s', (_what, changed) => {
    const logins = [{ ...login, ...changed }];
    expect(editedByTwo(edits(['a', 1], ['b', 2], ['a', 4]), logins, shardOf)).toHaveLength(1);
  });
});

test('a neglected board is one without an edit for too long, from first to last', () => {
  const asked = { channels: ['c'], from: 0, until: 90, most: 30 };
  expect(neglected(edits(['a', 30], ['b', 60]), asked)).toEqual([]);
  expect(neglected(edits(['a', 31], ['b', 60]), asked)).toHaveLength(1);
  expect(neglected(edits(['a', 30], ['b', 59]), asked)).toHaveLength(1);
  expect(neglected(edits(['a', 30], ['b', 61]), asked)).toHaveLength(1);
  expect(neglected([], asked)).toHaveLength(1);
});

const callback = { at: 11, interactionId: 'i', copy: 'a', good: true, deferred: false, finished: false };
const never = () => Number.POSITIVE_INFINITY;

test('unanswered is what reached a copy that lived on, and has no good callback', () => {
  const arrivals = [{ at: 10, interactionId: 'i', copy: 'a' }];
  expect(unanswered(arrivals, [], never)).toHaveLength(1);
  expect(unanswered(arrivals, [], () => 3011)).toHaveLength(1);
  expect(unanswered(arrivals, [], () => 3010)).toEqual([]);
  expect(unanswered(arrivals, [callback], never)).toEqual([]);
  expect(unanswered(arrivals, [{ ...callback, good: false }], never)).toHaveLength(1);
  expect(unanswered(arrivals, [{ ...callback, interactionId: 'j' }], never)).toHaveLength(1);
});

test('unfinished is what a copy that lived on has deferred for good', () => {
  const deferred = { ...callback, deferred: true };
  expect(unfinished([callback], never)).toEqual([]);
  expect(unfinished([deferred], never)).toHaveLength(1);
  expect(unfinished([deferred], () => 3011)).toEqual([]);
  expect(unfinished([{ ...deferred, finished: true }], never)).toEqual([]);
  expect(unfinished([{ ...deferred, good: false }], never)).toEqual([]);
});

test('answered twice is what two copies answered, or what was accepted twice', () => {
  expect(answeredTwice([callback, { ...callback, interactionId: 'j' }])).toEqual([]);
  expect(answeredTwice([callback, { ...callback, copy: 'b' }])).toEqual(['a and b answered i']);
  expect(answeredTwice([callback, { ...callback, copy: 'b', good: false }])).toHaveLength(1);
  expect(answeredTwice([callback, callback])).toHaveLength(1);
  expect(answeredTwice([callback, { ...callback, good: false }])).toEqual([]);
});

test('a board has another holder once another copy edits it', () => {
  expect(holderChanges(edits(['a', 1], ['a', 2], ['b', 3], ['b', 4], ['a', 5]))).toBe(2);
});
