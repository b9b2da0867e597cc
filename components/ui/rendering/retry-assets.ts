/**
 * A script for the head of every page. While an installation is updated, a page from one version
 * may ask a process of the other version for its scripts and styles, which only the first has. So
 * each that could not be loaded is requested again, up to six times. Until then, the code that
 * inserted it does not learn of the failure.
 */
export const retryAssets = `(function () {
  function ask(failed, triesLeft) {
    setTimeout(function () {
      var again = document.createElement(failed.localName);
      for (var attribute of failed.attributes) again.setAttribute(attribute.name, attribute.value);
      again.nonce = failed.nonce;
      again.isRetry = true;
      again.onload = function () {
        failed.dispatchEvent(new Event('load'));
      };
      again.onerror = function () {
        // Otherwise Next would wait for this element, too, when it asks once more.
        again.remove();
        if (triesLeft > 1) ask(failed, triesLeft - 1);
        else failed.dispatchEvent(new Event('error'));
      };
      document.head.append(again);
    }, 100);
  }
  addEventListener('error', function (event) {
    var failed = event.target;
    if (!event.isTrusted || failed === window || failed.isRetry) return;
    if (!failed.matches('script, link[rel=stylesheet]')) return;
    event.stopImmediatePropagation();
    ask(failed, 6);
  }, true);
})();`;
