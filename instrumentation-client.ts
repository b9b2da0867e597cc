// Next runs this in the browser before React takes the page over.
import { surviveTranslation } from '#components/ui/rendering/survive-translation.ts';

surviveTranslation();
