import type { Parts } from './router-parts.ts';

/** Text between lines of React's file, whose indentation tells where it stands. */
const lines = (...text: string[]) => text.join('\n');

/**
 * What this site never runs of React's renderer: the two features that React's own builds switch by flags and that need an element or a
 * property which no page has, `<ViewTransition>` and `<Fragment ref>`. The build stops where a page uses one of them after all.
 */
export const REACT_PARTS: Record<string, Parts> = {
  'react-dom-client.production.js': {
    replaced: [
      // No commit may start or await a view transition.
      ['committedLanes = (committedLanes & 335544064) === committedLanes;', 'committedLanes = !1;'],
      [
        lines('isViewTransitionEligible =', '    (committedLanes & 335544064) === committedLanes;'),
        'isViewTransitionEligible = !1;',
      ],
      ['isViewTransitionEligible = (lanes & 335544064) === lanes;', 'isViewTransitionEligible = !1;'],
      [lines('isViewTransitionEligible ||', '    subtreeFlags & 8192'), 'subtreeFlags & 8192'],
      [
        lines('isViewTransitionEligible &&', '        ((subtreeFlags = suspendedCommitReason),'),
        lines('!1 &&', '        ((subtreeFlags = suspendedCommitReason),'),
      ],
      ['isViewTransitionEligible ? 10262 : 10256', '10256'],
      ['(lanes & 335544064) === lanes ? 10262 : 10256', '10256'],
      ['(spawnedLane = 10262)', '(spawnedLane = 10256)'],
      [lines('shouldStartViewTransition', '    ? (pendingViewTransition'), lines('!1', '    ? (pendingViewTransition')],
      ['committedLanes && trackEnterViewTransitions(root),', ''],
      ['committedLanes && trackEnterViewTransitions(root);', ''],
      ['(committedLanes && commitNestedViewTransitions(root),', '('],
      ['else isViewTransitionEligible && restoreNestedViewTransitions(parentFiber);', ''],
      [
        lines(
          '(isViewTransitionEligible &&',
          '            null !== id &&',
          '            null === id.memoizedState &&',
          '            restoreEnterOrExitViewTransitions(id),',
        ),
        '(',
      ],
      [
        lines(
          '(isViewTransitionEligible &&',
          '            null !== id &&',
          '            null !== id.memoizedState &&',
          '            restoreEnterOrExitViewTransitions(finishedWork),',
        ),
        '(',
      ],
    ],
    dropped: [
      lines('if (', '      committedLanes &&', '      ((JSCompiler_temp = root.deletions)'),
      lines(
        'null !== JSCompiler_temp &&',
        '            null === JSCompiler_temp.memoizedState &&',
        '            committedLanes &&',
      ),
      lines('isViewTransitionEligible &&', '          null !== current &&'),
      lines('isViewTransitionEligible &&', '    null === finishedWork.alternate'),
      lines('isViewTransitionEligible &&', '        rootViewTransitionNameCanceled'),
      lines('isViewTransitionEligible &&', '        ((flags = finishedWork.alternate)'),
      lines('if (', '      null !== recoverableErrors &&', '      ((pendingViewTransitionEvents = null)'),
      lines('null !== pendingViewTransition &&', '    (pendingViewTransition.skipTransition()'),
      'if (null === instance.ref || instance.ref.name !== name)',
      lines('inUpdateViewTransition =', '        _eventPayloads$ii2 &&'),
      'ViewTransitionPseudoElement.prototype.',
      // No fragment has a ref.
      lines('if (null === current.stateNode) {', '            var fragmentInstance ='),
      lines('for (var parent = fiber.return; null !== parent; ) {', '    isFragmentInstanceParent(parent) &&'),
      lines(
        'if (',
        '    (5 === fiber.tag || 27 === fiber.tag || 6 === fiber.tag) &&',
        '    null === fiber.alternate &&',
        '    null !== parentFragmentInstances',
      ),
      'if (isFragmentInstanceParent(parent)) {',
      'FragmentInstance.prototype.',
    ],
  },
};
