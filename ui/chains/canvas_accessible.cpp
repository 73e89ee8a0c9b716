// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/canvas_accessible.h"
#include "ui/chains/chain_canvas.h"

#include <QAccessibleWidget>
#include <QPointer>

#include <algorithm>

namespace sg::ui {

namespace {

/// A node or a line; what it is follows from its place in the order of the way, so that it outlives any edit.
class StopInterface final : public QAccessibleInterface
{
public:
    StopInterface(ChainCanvas* canvas, int index)
        : canvas_(canvas)
        , index_(index)
    {
    }

    bool isValid() const override { return canvas_ && index_ < static_cast<int>(canvas_->chainLayout().stops.size()); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(canvas_.data()); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QString text(QAccessible::Text kind) const override
    {
        return isValid() && kind == QAccessible::Name ? canvas_->stopSentence(stop()) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect box = canvas_->stopRect(stop());
        return QRect(canvas_->viewport()->mapToGlobal(box.topLeft()), box.size());
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        if (!isValid())
            return state;
        const bool isCurrent = canvas_->current() == stop();
        state.selected = isCurrent;
        state.focused = isCurrent && canvas_->hasFocus();
        state.offscreen = !canvas_->viewport()->rect().intersects(canvas_->stopRect(stop()));
        return state;
    }

private:
    layout::Stop stop() const { return canvas_->chainLayout().stops[static_cast<std::size_t>(index_)]; }

    QPointer<ChainCanvas> canvas_;
    int index_;
};

class CanvasInterface final : public QAccessibleWidget
{
public:
    explicit CanvasInterface(ChainCanvas* canvas)
        : QAccessibleWidget(canvas, QAccessible::List)
    {
    }
    ~CanvasInterface() override
    {
        for (const QAccessible::Id id : children_)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(canvas()->chainLayout().stops.size()); }
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        while (static_cast<int>(children_.size()) <= index) {
            const int next = static_cast<int>(children_.size());
            children_.push_back(QAccessible::registerAccessibleInterface(new StopInterface(canvas(), next)));
        }
        return QAccessible::accessibleInterface(children_[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto found = std::find_if(children_.begin(), children_.end(), [child](QAccessible::Id id) {
            return QAccessible::accessibleInterface(id) == child;
        });
        return found == children_.end() ? -1 : static_cast<int>(found - children_.begin());
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int i = 0; i < childCount(); ++i) {
            if (child(i)->rect().contains(x, y))
                return child(i);
        }
        return nullptr;
    }
    QAccessibleInterface* focusChild() const override
    {
        const auto stop = canvas()->current();
        if (!canvas()->hasFocus() || !stop)
            return nullptr;
        return child(indexOf(*stop));
    }
    int indexOf(const layout::Stop& stop) const
    {
        const auto& stops = canvas()->chainLayout().stops;
        const auto found = std::find(stops.begin(), stops.end(), stop);
        return found == stops.end() ? -1 : static_cast<int>(found - stops.begin());
    }

private:
    ChainCanvas* canvas() const { return static_cast<ChainCanvas*>(widget()); }
    mutable std::vector<QAccessible::Id> children_; ///< made when somebody asks
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* canvas = qobject_cast<ChainCanvas*>(object);
    return canvas ? new CanvasInterface(canvas) : nullptr;
}

} // namespace

void installCanvasAccessible()
{
    QAccessible::installFactory(makeInterface); // installing twice is ignored
}

void announceStop(ChainCanvas& canvas, const layout::Stop& stop)
{
    if (!QAccessible::isActive() || !canvas.hasFocus())
        return;
    const auto& stops = canvas.chainLayout().stops;
    const auto found = std::find(stops.begin(), stops.end(), stop);
    if (found == stops.end())
        return;
    QAccessibleEvent focus(&canvas, QAccessible::Focus);
    focus.setChild(static_cast<int>(found - stops.begin()));
    QAccessible::updateAccessibility(&focus);
}

} // namespace sg::ui
