/** Parts of a module of React Router. */
export type Parts = {
  /** Expressions with what they come to on this site. */
  replaced?: readonly (readonly [part: string, outcome: string])[];
  /** How the statements begin that never run on this site, or change nothing. */
  dropped?: readonly string[];
};

/**
 * What this site never runs of React Router, by module. A setting or a call decides it while the page runs, so that no bundler can
 * know. On this site:
 * - no route has a loader, an action or middleware of its own in the browser, and no form is submitted to an action;
 * - there are no fetchers, no blockers, no view transitions, no masked addresses, no prefetched pages;
 * - all routes are known from the start (`routeDiscovery` in react-router.config.ts), at the root of the host;
 * - the server renders every page, and it alone writes the scripts that start one;
 * - nothing observes the router, and only the development server replaces routes.
 * The build stops where a page uses one of them after all.
 */
export const ROUTER_PARTS: Record<string, Parts> = {
  'lib/router/router.js': {
    replaced: [
      ['if (init.instrumentations) {', 'if (false) {'],
      ['if (init.instrumentations) router =', 'if (false) router ='],
      ['init.dataStrategy || defaultDataStrategyWithMiddleware', 'init.dataStrategy'],
      ['if (future.unstable_routePatternMatching) {', 'if (false) {'],
      // Routes are known from the start.
      ['if (initialMatches == null && !init.patchRoutesOnNavigation) {', 'if (initialMatches == null) {'],
      ['if (!initialMatches) {', 'if (false) {'],
      [' && !initialMatchesIsFOW', ''],
      ['if (!isFogOfWar) {', 'if (true) {'],
      ['scopedContext, fogOfWar.active, loadingNavigation', 'scopedContext, false, loadingNavigation'],
      // What only others call of a router.
      ['\t\tfetch,\n\t\trevalidate,\n', '\t\trevalidate,\n'],
      [
        '\t\tgetFetcher,\n\t\tresetFetcher,\n\t\tdeleteFetcher: queueFetcherForDeletion,\n\t\tdispose,\n\t\tgetBlocker,\n\t\tdeleteBlocker,\n\t\tpatchRoutes,\n\t\t_internalFetchControllers: fetchControllers,\n\t\t_internalSetRoutes,\n\t\t_internalSetStateDoNotUseOrYouWillBreakYourApp(newState) {\n\t\t\tupdateState(newState);\n\t\t}\n',
        '',
      ],
      // Fetchers, blockers, view transitions.
      ['deletedFetchers: unmountedFetchers,', ''],
      ['deletedFetchers: [],', ''],
      ['viewTransitionOpts: opts.viewTransitionOpts,', ''],
      ['viewTransitionOpts: void 0,', ''],
      ['\t\t\tviewTransitionOpts,\n\t\t\tflushSync: flushSync === true', '\t\t\tflushSync: flushSync === true'],
      ['\t\t\tpreventScrollReset,\n\t\t\tblockers\n', '\t\t\tpreventScrollReset\n'],
      ['enableViewTransition: opts && opts.viewTransition,', ''],
      ['enableViewTransition: pendingViewTransitionEnabled === true', ''],
      ['enableViewTransition: isNavigation ? pendingViewTransitionEnabled : void 0', ''],
      ['...workingFetchers ? { fetchers: workingFetchers } : {}', ''],
      ['...shouldUpdateFetchers ? { workingFetchers } : {}', ''],
      [
        'let { loaderResults, fetcherResults } = await callLoadersAndMaybeResolveData(dsMatches, revalidatingFetchers, request, location, scopedContext);',
        'let loaderResults = await callDataStrategy(request, location, dsMatches, scopedContext, null);',
      ],
      [
        'processLoaderData(state, matches, loaderResults, pendingActionResult, revalidatingFetchers, fetcherResults, workingFetchers)',
        'processRouteLoaderData(matches, loaderResults)',
      ],
      // Submissions.
      [
        'let { path, submission, error } = normalizeNavigateOptions(false, normalizeTo(state.location, state.matches, basename, to, opts?.fromRouteId, opts?.relative), opts);',
        'let path = normalizeTo(state.location, state.matches, basename, to, opts?.fromRouteId, opts?.relative);',
      ],
      ['opts && opts.state, void 0, maskPath)', 'opts && opts.state)'],
      [
        'submission != null && isMutationMethod(submission.formMethod) && submission.formAction === state.location.pathname + state.location.search',
        'false',
      ],
      ['\t\t\tsubmission,\n\t\t\tpendingError: error,\n', ''],
      [
        '\t\t\tcallSiteDefaultShouldRevalidate: opts && opts.defaultShouldRevalidate,\n\t\t\tinstrumentationNavigateMetaReceiver\n',
        '',
      ],
      [' && !(opts && opts.submission && isMutationMethod(opts.submission.formMethod))', ''],
      ['pendingNavigationController.signal, opts && opts.submission)', 'pendingNavigationController.signal)'],
      ['init.getContext ? await init.getContext() : new RouterContextProvider()', 'void 0'],
      [
        'opts && opts.submission, opts && opts.fetcherSubmission, opts && opts.replace',
        'void 0, void 0, opts && opts.replace',
      ],
      ['flushSync, pendingActionResult, opts && opts.callSiteDefaultShouldRevalidate)', 'flushSync)'],
      ['...getActionDataForCommit(pendingActionResult),', ''],
      [
        'getLoadingNavigation(location, matches, historyAction, submission)',
        'getLoadingNavigation(location, matches, historyAction)',
      ],
      [
        'getLoadingNavigation(redirectLocation, [], redirectNavigationType, submission)',
        'getLoadingNavigation(redirectLocation, [], redirectNavigationType)',
      ],
      [
        'if (submission) return {\n\t\tstate: "loading",\n\t\tlocation,',
        'if (false) return {\n\t\tstate: "loading",\n\t\tlocation,',
      ],
      ['matches, activeSubmission, location, initialHydration', 'matches, void 0, location, initialHydration'],
      [
        'isRevalidationRequired, cancelledFetcherLoads, fetchersQueuedForDeletion, fetchLoadMatches, fetchRedirectIds, dataRouteMatcher, pendingActionResult, callSiteDefaultShouldRevalidate);\n\t\tpendingNavigationLoadId',
        'isRevalidationRequired);\n\t\tpendingNavigationLoadId',
      ],
      [
        ' || state.navigation.formMethod != null && isMutationMethod(state.navigation.formMethod) && location.state?._isRedirect !== true',
        '',
      ],
      ['let actionData;\n', 'let actionData = null;\n'],
      [
        'redirectPreserveMethodStatusCodes.has(redirect.response.status) && activeSubmission && isMutationMethod(activeSubmission.formMethod)',
        'false',
      ],
      [
        '\t\t\tfetcherSubmission,\n\t\t\tpreventScrollReset: preventScrollReset || pending',
        '\t\t\tpreventScrollReset: preventScrollReset || pending',
      ],
      ['if (!isMutationMethod(request.method)) for (let match of matches) {', 'for (let match of matches) {'],
      [
        'pendingActionResult && isErrorResult(pendingActionResult[1])) {\n\t\tlet boundaryId',
        'false) {\n\t\tlet boundaryId',
      ],
      ['\t\t...submission,\n\t\tactionResult,\n\t\tactionStatus\n', ''],
      [
        'if (typeof callSiteDefaultShouldRevalidate === "boolean") defaultShouldRevalidate = callSiteDefaultShouldRevalidate;',
        'if (false);',
      ],
      ['else if (shouldSkipRevalidation) defaultShouldRevalidate = false;', ''],
      ['isMutationMethod(request.method) ? "action" : "loader"', '"loader"'],
      [
        'handlerOverride && !isMutationMethod(request.method) && (lazy || loader)',
        'handlerOverride && (lazy || loader)',
      ],
      [
        'if (callHandler && (isMutationMethod(request.method) || !isMiddlewareOnlyRoute)) return',
        'if (callHandler) return',
      ],
      ['let isAction = isMutationMethod(request.method);', ''],
      ['isAction ? "action" : "loader"', '"loader"'],
      ['isAction ? match.route.action : match.route.loader', 'match.route.loader'],
      ['else if (type === "action") {', 'else if (false) {'],
      // Middleware.
      ['\t\tmiddleware: lazyMiddlewarePromise,\n', ''],
      ['fetcherKey,\n\t\trunClientMiddleware\n', 'fetcherKey\n'],
      ['route.loader != null || route.middleware != null && route.middleware.length > 0', 'route.loader != null'],
      // Errors and headers that only a server answers with.
      ['if (skipLoaderErrorBubbling) errors[id] = error;\n', 'if (false);\n'],
      ['if (!isStaticHandler) loaderData', 'loaderData'],
      ['\t\tstatusCode: statusCode || 200,\n\t\tloaderHeaders\n', ''],
      ['if (status === 400) {', 'if (false) {'],
      ['else if (status === 403) {', 'else if (false) {'],
      ['else if (status === 405) {', 'else if (false) {'],
    ],
    dropped: [
      'if (initialMatches && !init.hydrationData)',
      'let fogOfWar = checkFogOfWar(',
      'if (fogOfWar.active && fogOfWar.matches) matches =',
      'if (isFogOfWar) {',
      'dataRoutes.commitHmrRoutes(',
      'get hasHMRRoutes(',
      'setRoutes(',
      'setHmrRoutes(',
      'commitHmrRoutes(',
      'let instrumentationNavigateMetaReceiver =',
      'if (opts?.instrumentationNavigateMetaReceiver)',
      // Fetchers.
      'let unmountedFetchers =',
      'let mountedFetchers =',
      'state.fetchers.forEach((fetcher, key) =>',
      'fetchersQueuedForDeletion.forEach(',
      'unmountedFetchers.forEach(',
      'mountedFetchers.forEach(',
      'fetchLoadMatches.forEach(',
      'if (revalidatingFetchers.length > 0) updates.fetchers',
      'revalidatingFetchers.forEach((rf) => {\n\t\t\tabortFetcher',
      'revalidatingFetchers.forEach((rf) => fetchControllers',
      'let abortPendingFetchRevalidations =',
      'if (pendingNavigationController) pendingNavigationController.signal',
      'redirect = findRedirect(fetcherResults)',
      'if (redirect) {\n\t\t\tfetchRedirectIds',
      'let workingFetchers = new Map(state.fetchers);',
      'let didUpdateFetcherRedirects =',
      'let didAbortFetchLoads =',
      'let shouldUpdateFetchers =',
      'pendingNavigationLoadId = ++incrementingLoadId',
      // Blockers.
      'if (unblockBlockerHistoryUpdate)',
      'let blockerKey = shouldBlockNavigation(',
      'if (blockerKey && delta != null)',
      'if (blockerKey) {',
      'let blockers = state.blockers;',
      'if (blockers.size > 0',
      // View transitions, masked addresses.
      'if (isBrowser) {\n\t\t\trestoreAppliedTransitions(',
      'let viewTransitionOpts;',
      'if (pendingAction === "POP" && !isUninterruptedRevalidation && location !== state.location)',
      'pendingViewTransitionEnabled =',
      'let maskPath;',
      'if (opts?.mask)',
      // Submissions.
      'let isActionReload =',
      'if (newState.actionData) if',
      'if (state.navigation.state === "submitting") return promise',
      'let pendingActionResult;',
      'if (opts && opts.pendingError)',
      'let activeSubmission =',
      'let actionData = getUpdatedActionData(',
      'if (actionData !== void 0) updates.actionData',
      'let { formMethod, formAction, formEncType } = state.navigation',
      'if (!submission && !fetcherSubmission && formMethod',
      'let actionResult = pendingActionResult ?',
      'let actionStatus = pendingActionResult ?',
      'let shouldSkipRevalidation =',
      'if (typeof callSiteDefaultShouldRevalidate === "boolean") return shouldRevalidateLoader',
      'if (submission && isMutationMethod(submission.formMethod)) {\n\t\tlet { formMethod',
      'let pendingError = pendingActionResult',
      'if (pendingError !== void 0',
      // Middleware, and a strategy for data that is always set.
      'if (!init.dataStrategy && ',
      'if (matches.some((m) => m._lazyPromises?.middleware))',
      'let runClientMiddleware =',
      'let lazyMiddlewarePromise =',
      'let isMiddlewareOnlyRoute =',
      'if (typeof route.lazy === "function")',
      // What only a loader of the browser returns, or a server answers with.
      'if (isResponse(result)) {',
      'if (isDataWithResponseInit(result))',
      'if (!foundError) {\n\t\t\t\tfoundError',
      'if (result.statusCode && result.statusCode !== 200',
      'if (result.headers) loaderHeaders',
      'let loaderHeaders =',
    ],
  },
  'lib/router/history.js': {
    replaced: [
      ['let maskedLocation = globalHistory.state?.masked;', ''],
      ['maskedLocation || window.location', 'window.location'],
      ['|| "default", maskedLocation ? {', '|| "default", false ? {'],
      ['masked: location.mask ? {', 'masked: false ? {'],
      ['v5Compat = false } = options', '} = options'],
    ],
    dropped: ['if (validateLocation)', 'if (v5Compat && listener)'],
  },
  'lib/hooks.js': {
    replaced: [
      ['React$1.useContext(IsDataRouteContext) ? useNavigateStable() : useNavigateUnstable()', 'useNavigateStable()'],
      ['static contextType = RSCRouterContext;', ''],
      ['if (locationArg) {', 'if (false) {'],
      ['if (dataRouterOpts) if (', 'if (true) if ('],
      ['match.route.errorElement || defaultErrorElement', 'match.route.errorElement'],
    ],
    dropped: [
      'if (this.context && typeof error',
      'if (this.context) return',
      'if (locationArg && renderedMatches)',
      'if (dataRouterContext && dataRouterContext.static',
    ],
  },
  'lib/components.js': {
    replaced: [
      ['let [state, setOptimisticState] = useOptimistic(_state);', 'let state = _state;'],
      ['if (!viewTransitionOpts || !isViewTransitionAvailable) {', 'if (true) {'],
      [
        '\t\trouter.window,\n\t\treactDomFlushSyncImpl,\n\t\ttransition,\n\t\trenderDfd,\n\t\tuseTransitions,\n\t\tsetOptimisticState,\n',
        '\t\treactDomFlushSyncImpl,\n\t\tuseTransitions,\n',
      ],
      ['{ value: fetchersContext }', 'null'],
      ['{ value: vtContext }', 'null'],
    ],
    dropped: [
      'useTransitions = useIsRSCRouterContext()',
      'let [pendingState, setPendingState]',
      'let [vtContext, setVtContext]',
      'let [renderDfd, setRenderDfd]',
      'let [transition, setTransition]',
      'let [interruption, setInterruption]',
      'let fetcherData = ',
      'newState.fetchers.forEach(',
      'deletedFetchers.forEach(',
      'let isViewTransitionAvailable =',
      'if (reactDomFlushSyncImpl && flushSync) {',
      'if (transition) {',
      'if (useTransitions === true) setOptimisticState',
      'React$1.useEffect(() => {\n\t\tif (vtContext.isTransitioning',
      'React$1.useEffect(() => {\n\t\tif (!vtContext.isTransitioning',
      'React$1.useEffect(() => {\n\t\tif (renderDfd',
      'let fetchersContext =',
    ],
  },
  'lib/dom/lib.js': {
    replaced: [
      ['\t\t...prefetchHandlers,\n', ''],
      ['mergeRefs(forwardedRef, prefetchRef)', 'forwardedRef'],
      ['shouldPrefetch && !isAbsolute ?', 'false ?'],
      ['(isSpaLink ? maskedHref : void 0) || ', ''],
      ['routerNavigation != null && useViewTransitionState(path) && viewTransition === true', 'false'],
      [
        '`(${restoreScroll})(${escapeHtml(JSON.stringify(storageKey || SCROLL_RESTORATION_STORAGE_KEY))}, ${escapeHtml(JSON.stringify(ssrKey))})`',
        '" "',
      ],
    ],
    dropped: [
      'let [shouldPrefetch, prefetchRef, prefetchHandlers] =',
      'let maskedHref =',
      'if (mask) {',
      'let restoreScroll =',
      'let ssrKey =',
    ],
  },
  'lib/dom/ssr/components.js': {
    replaced: [
      ['typeof criticalCss === "string" ?', 'false ?'],
      ['typeof criticalCss === "object" ?', 'false ?'],
      ['isPageLinkDescriptor(link) ?', 'false ?'],
      ['let isRSCRouterContext = useIsRSCRouterContext();', 'const isRSCRouterContext = false;'],
      ['let enableFogOfWar = isFogOfWarEnabled(routeDiscovery, ssr);', 'const enableFogOfWar = false;'],
      ['let contextScript = staticContext ?', 'let contextScript = false ?'],
      ['let routeModulesScript = !isStatic ?', 'let routeModulesScript = true ?'],
      // The server has written the links that preload scripts; here they would only be looked up.
      ['return isHydrated || isRSCRouterContext ? null :', 'return isHydrated ? null : initialScripts;\n\treturn'],
    ],
    dropped: ['if (isSpaMode && !isHydrated)', 'let preloads =', 'let sri ='],
  },
  'lib/dom/ssr/fog-of-war.js': {
    replaced: [['if (!isFogOfWarEnabled(routeDiscovery, ssr)) return;', 'return;']],
  },
  'lib/dom/ssr/links.js': {
    replaced: [
      ['!isPageLinkDescriptor(descriptor) && ', ''],
      [', getModuleLinkHrefs(matches, manifest));', ');'],
    ],
    dropped: ['if (preloads && '],
  },
  'lib/dom/ssr/routes.js': {
    replaced: [
      ['route.id === "root" ? RemixRootDefaultHydrateFallback : void 0', 'void 0'],
      [
        'route.id === "root" ? () => /* @__PURE__ */ React$1.createElement(RemixRootDefaultErrorBoundary, { error: useRouteError() }) : void 0',
        'void 0',
      ],
      ['loader: route.hasClientLoader ?', 'loader: false ?'],
      ['action: route.hasClientAction ?', 'action: false ?'],
      ['middleware: route.hasClientMiddleware ?', 'middleware: false ?'],
    ],
    dropped: [
      'let hasInitialData =',
      'let initialData =',
      'let hasInitialError =',
      'let initialError =',
      'let isHydrationRequest =',
      'let _isHydrationRequest =',
      'isHydrationRequest =',
      'return routeModule.clientLoader(',
      'dataRoute.action =',
      'if (!route.hasClientAction) dataRoute.action',
      'if (route.clientLoaderModule || route.clientActionModule)',
      'prefetchRouteModuleChunks(route)',
      'if (needsRevalidation) return',
      'if (!ssr && manifestRoute.hasLoader',
    ],
  },
  'lib/dom/ssr/errorBoundaries.js': {
    replaced: [['}, errorInstance.stack), heyDeveloper);', '}, errorInstance.stack));']],
    dropped: ['let heyDeveloper ='],
  },
  'lib/dom/ssr/single-fetch.js': {
    replaced: [
      ['return async (args) => args.runClientMiddleware(dataStrategy);', 'return dataStrategy;'],
      ['if (request.method === "GET") {', 'if (true) {'],
    ],
    dropped: [
      'if (request.method !== "GET") return',
      'let foundRevalidatingServerLoader =',
      'if (!ssr && !foundRevalidatingServerLoader)',
      'if (fetcherKey) return',
      'if (targetRoutes && request.method !== "GET")',
    ],
  },
  'lib/dom/ssr/data.js': { dropped: ['if (request.method !== "GET") {'] },
  'lib/dom-export/hydrated-router.js': {
    replaced: [
      ['if (ssrInfo.context.isSpaMode) {', 'if (false) {'],
      [
        'let [criticalCss, setCriticalCss] = React$1.useState(process.env.NODE_ENV === "development" ? ssrInfo?.context.criticalCss : void 0);',
        '',
      ],
      ['\t\tcriticalCss,\n', ''],
    ],
    dropped: [
      'if (window.__reactRouterManifest.sri === true)',
      'if (window.history.state && window.history.state.masked)',
      'React$1.useEffect(() => {\n\t\tif (process.env.NODE_ENV === "development"',
      'UNSAFE_useFogOFWarDiscovery(',
      'router.createRoutesForHMR =',
    ],
  },
};
