// What the Python side may call.
globalThis.cdpAgent = {
  prepare, prepareEdit, prepareKeys, inView, center, isRendered, finish, rest, restAfterwards, receipt, disarm, arm, setValue, insertLines, readValue, focusOn, selectAll, nextFrame, sketch,
  cover: () => prepare.cover || (action && action.cover),
  novel: () => watch.novel,
  receiver, choiceKind, choose, choice, suggestion, checkedState, awaitChecked, prepareFocus, isFocused, dispatchClick,
  prepareFiles, armFiles, holdsFiles,
  carryBegin, carryState, carryFinish, carryClose, carryRetarget, carryAbort, carryEnd, plainPoint,
  scrollBegin, scrollFinish, scrollDisarm, wheelSpot, wheelBegin,
  scrollFrame: () => scrollBegin.frame,
  find, factsOf, harvest, vitals, rendered, focusHolder, unseen, unseenAgain, nodesInView, adoptRoot, openLedger, beginWalks, relook, possibleHosts,
  parts, elementCount, census, testimony, endCensus,
  widget, findOption, pickedNames, filterField, shownChoice, showsChoice, staysOpen, isInModal,
  picked: () => picked,
  filter: () => filter,
  watchFrame, watchElement, nextStir,
};
installWatch();
installGuard();
installCarry();
installElsewhere();
